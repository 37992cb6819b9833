import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GUESTS } from "./paths.ts";
import type { Step } from "./step.ts";

/** The JavaScript guest: its prelude bundled, made a component, transpiled to core modules, metered, and told which of its functions turns call. */
export const guests: Step = {
  name: "guests",
  inputs: ["wasm/javascript", "wasm/guest.wit", "wasm/meter", "src/base", "src/engine", "src/guests", "src/host", "package-lock.json", "build/guests.ts", "build/touched.ts", "build/touched-run.ts"],
  after: [],
  outputs: ["dist/guests/javascript"],
  async run() {
    const { buildJavascriptGuest } = await import("../wasm/javascript/build.ts");
    const outDir = join(GUESTS, "javascript");
    await buildJavascriptGuest({ outDir });
    const { prioritize } = await import("../wasm/meter/priorities.ts");
    const { touchedFunctions } = await import("./touched.ts");
    const runtime = join(outDir, "runtime.wasm");
    writeFileSync(runtime, prioritize(readFileSync(runtime), touchedFunctions("javascript")));
  },
};
