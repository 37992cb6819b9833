import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { z } from "zod";
import { ROOT } from "../../build/paths.ts";

const versionsSchema = z.record(z.string(), z.string()).default({});
const manifestSchema = z.object({ dependencies: versionsSchema, devDependencies: versionsSchema, optionalDependencies: versionsSchema });
const lockSchema = z.object({ packages: z.record(z.string(), z.object({ integrity: z.string().optional() })) });

const read = (name: string): unknown => JSON.parse(readFileSync(join(ROOT, name), "utf8"));

test("every npm package is pinned by the hash of its content", () => {
  const { packages } = lockSchema.parse(read("package-lock.json"));
  // The one without a name is this package itself.
  const unpinned = Object.entries(packages).filter(([name, { integrity }]) => name !== "" && integrity?.startsWith("sha512-") !== true);
  assert.deepEqual(unpinned, []);
});

test("dependencies are named by exact versions", () => {
  const { dependencies, devDependencies, optionalDependencies } = manifestSchema.parse(read("package.json"));
  const loose = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version));
  assert.deepEqual(loose, []);
});
