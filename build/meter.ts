import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GUESTS, STAGE, WHEEL } from "./paths.ts";
import { BuildError, type Step } from "./step.ts";

/** Python's module, metered: once with its data segments, to make images from, and once without, to ship. */
export const meter: Step = {
  name: "meter",
  inputs: ["wasm/meter", "wasm/python/overflow", "build/meter.ts", "src/guests/python-core.ts", "src/guests/modules.ts", "src/engine/blocks.ts", "src/base/errors.ts"],
  after: ["wheel"],
  outputs: ["dist/stage/python.wasm", "dist/guests/python.wasm.blocks"],
  async run() {
    const { meter: meterModule } = await import("../wasm/meter/meter.ts");
    const { encodeBlocks } = await import("../src/engine/blocks.ts");
    const { PYTHON_MODULE } = await import("../src/guests/modules.ts");
    const { PYTHON_EXPORTS } = await import("../src/guests/python-core.ts");
    const { guardOverflow } = await import("../wasm/python/overflow/guard-overflow.ts");
    const original = await guardOverflow(readFileSync(join(WHEEL, "python.wasm")));
    mkdirSync(STAGE, { recursive: true });
    mkdirSync(GUESTS, { recursive: true });
    for (const old of globSync("python.wasm*", { cwd: GUESTS })) rmSync(join(GUESTS, old));
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
      if (dropData) writeFileSync(join(GUESTS, PYTHON_MODULE), encodeBlocks(bytes, bytes.length));
      else writeFileSync(join(STAGE, "python.wasm"), bytes);
    }
  },
};
