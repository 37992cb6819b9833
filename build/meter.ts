import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { STAGE, WHEEL } from "./paths.ts";
import { BuildError, type Step } from "./step.ts";

/** Python's module, metered: once with its data segments, to make images from, and once without, which is shipped. */
export const meter: Step = {
  name: "meter",
  inputs: ["wasm/meter", "wasm/python/overflow", "build/meter.ts", "src/guests/python-core.ts", "src/base/errors.ts"],
  after: ["wheel"],
  outputs: ["dist/stage/python.wasm", "dist/stage/python-shipped.wasm"],
  async run() {
    const { meter: meterModule } = await import("../wasm/meter/meter.ts");
    const { PYTHON_EXPORTS } = await import("../src/guests/python-core.ts");
    const { guardOverflow } = await import("../wasm/python/overflow/guard-overflow.ts");
    const original = await guardOverflow(readFileSync(join(WHEEL, "python.wasm")));
    mkdirSync(STAGE, { recursive: true });
    for (const dropData of [false, true]) {
      const { bytes } = meterModule(original, {
        importMemory: true,
        record: true,
        stripCustom: true,
        exportFunctions: PYTHON_EXPORTS,
        dropData,
      });
      // What ships is compiled with lazy validation, which trusts this check.
      if (!WebAssembly.validate(Uint8Array.from(bytes))) throw new BuildError("The metered python.wasm is not a valid module.");
      writeFileSync(join(STAGE, dropData ? "python-shipped.wasm" : "python.wasm"), bytes);
    }
  },
};
