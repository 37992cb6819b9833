import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { PLACES } from "../src/engine/assets.ts";
import { BuildError } from "./step.ts";

/** More digits than an offset in any executable has. */
const DIGITS = 12;

/** Assets as large as this are told; of smaller ones it doesn't matter how they are read. */
const LEAST = 1_048_576;

/** As much room as the places will take, in an asset of its own; it is found again by what it is filled with. */
export function blankPlaces(assets: Readonly<Record<string, string>>): Buffer {
  return Buffer.from(`${JSON.stringify(Object.fromEntries(Object.keys(assets).map((name) => [name, "?".repeat(DIGITS)])))}\n`);
}

/**
 * Writes over the blank asset of a program where in it the bytes of each large asset begin.
 * @param assets the files that the assets were made of, by name
 * @throws BuildError when one is not in the program as it is in its file
 */
export function writePlaces(path: string, blank: Buffer, assets: Readonly<Record<string, string>>): void {
  const program = readFileSync(path);
  const files = Object.entries(assets).map(([name, file]) => [name, readFileSync(file)] as const);
  const places = files.filter(([, bytes]) => bytes.length >= LEAST).map(([name, bytes]) => [name, placeOf(program, bytes, name)]);
  const filled = Buffer.alloc(blank.length, " ");
  filled.write(JSON.stringify(Object.fromEntries(places)));
  const file = openSync(path, "r+");
  writeSync(file, filled, 0, filled.length, placeOf(program, blank, PLACES));
  closeSync(file);
}

function placeOf(program: Buffer, bytes: Buffer, name: string): number {
  const at = program.indexOf(bytes);
  if (at < 0) throw new BuildError(`The program does not hold ${name} in one piece.`);
  return at;
}
