import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { blankPlaces, writePlaces } from "../../build/places.ts";
import { BuildError } from "../../build/step.ts";

const LARGE = 1_048_576;

test("the places of large assets are written over the blank, and nothing else of the program is", () => {
  const folder = mkdtempSync(join(tmpdir(), "belljar-places-"));
  try {
    const file = (name: string, bytes: Buffer): string => (writeFileSync(join(folder, name), bytes), join(folder, name));
    const [large, small] = [Buffer.alloc(LARGE, "large "), Buffer.alloc(LARGE - 1, "small ")];
    const assets = { large: file("a", large), small: file("b", small) };
    const blank = blankPlaces(assets);
    const before = Buffer.concat([Buffer.from("head"), small, blank, large, Buffer.from("tail")]);
    const program = file("program", before);
    writePlaces(program, blank, assets);
    const after = readFileSync(program);
    const at = 4 + small.length;
    const places: unknown = JSON.parse(after.toString("utf8", at, at + blank.length));
    assert.deepEqual(places, { large: at + blank.length });
    assert.ok(after.subarray(0, at).equals(before.subarray(0, at)));
    assert.ok(after.subarray(at + blank.length).equals(before.subarray(at + blank.length)));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a program that doesn't hold an asset is refused by the asset's name", () => {
  const folder = mkdtempSync(join(tmpdir(), "belljar-places-"));
  try {
    const [program, large] = [join(folder, "program"), join(folder, "large")];
    writeFileSync(large, Buffer.alloc(LARGE));
    writeFileSync(program, blankPlaces({ large }));
    assert.throws(() => writePlaces(program, blankPlaces({ large }), { large }), (error) => error instanceof BuildError && /hold large in one piece/.test(error.message));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
