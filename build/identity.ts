import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GUESTS } from "./paths.ts";
import type { Step } from "./step.ts";

/** What a sandbox at rest stands on: the modules, the images, and the read-only files. */
const PARTS = {
  python: ["python.wasm.blocks", "python-bare.image", "python-data.blocks", "python-plots.blocks", "python-science.blocks", "python-stdlib.zip", "python-web.zip", "mpl-data.pack"],
  javascript: ["javascript/runtime.wasm", "javascript/bindings.wasm", "javascript/image"],
} as const;

/** The sha256 of each guest, so that a stored sandbox is only given to the guest that it was made by. */
export const identity: Step = {
  name: "identity",
  inputs: ["build/identity.ts"],
  after: ["wheel", "meter", "guests", "web", "shipped"],
  outputs: ["dist/guests/identity.json"],
  run() {
    const sums = Object.entries(PARTS).map(([language, parts]) => {
      const sum = createHash("sha256");
      for (const part of parts) sum.update(readFileSync(join(GUESTS, part)));
      return [language, sum.digest("hex")];
    });
    writeFileSync(join(GUESTS, "identity.json"), `${JSON.stringify(Object.fromEntries(sums), null, 1)}\n`);
  },
};
