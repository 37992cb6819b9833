import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GUESTS, STAGE, WHEEL } from "./paths.ts";
import { BuildError, type Step } from "./step.ts";

/** Python's module, metered: once with its data segments, to make images from, and once without, to ship. */
export const meter: Step = {
  name: "meter",
  inputs: ["wasm/meter", "wasm/python/overflow", "build/meter.ts", "src/guests/python-core.ts", "src/base/errors.ts"],
  after: ["wheel"],
  outputs: ["dist/stage/python.wasm", "dist/guests/python.wasm"],
  async run() {
    const { meter: meterModule } = await import("../wasm/meter/meter.ts");
    const { PYTHON_EXPORTS } = await import("../src/guests/python-core.ts");
    const { guardOverflow } = await import("../wasm/python/overflow/guard-overflow.ts");
    const original = await guardOverflow(readFileSync(join(WHEEL, "python.wasm")));
    mkdirSync(STAGE, { recursive: true });
    mkdirSync(GUESTS, { recursive: true });
    for (const [folder, dropData] of [[STAGE, false], [GUESTS, true]] as const) {
      const { bytes } = meterModule(original, {
        importMemory: true,
        record: true,
        stripCustom: true,
        exportFunctions: PYTHON_EXPORTS,
        dropData,
      });
      // What ships is compiled with lazy validation, which trusts this check.
      if (!WebAssembly.validate(Uint8Array.from(bytes))) throw new BuildError("The metered python.wasm is not a valid module.");
      writeFileSync(join(folder, "python.wasm"), bytes);
    }
  },
};
