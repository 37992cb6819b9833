import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GUESTS, STAGE } from "./paths.ts";
import { BuildError, type Step } from "./step.ts";

/** Python's module as it is in the binary: it says what of it turns call, and is one compressed block. */
export const shipped: Step = {
  name: "shipped",
  inputs: ["build/shipped.ts", "build/touched.ts", "build/touched-run.ts", "wasm/meter/priorities.ts", "src/engine/blocks.ts", "src/guests/modules.ts"],
  after: ["meter", "images"],
  outputs: ["dist/guests/python.wasm.blocks"],
  async run() {
    const { prioritize } = await import("../wasm/meter/priorities.ts");
    const { encodeBlocks } = await import("../src/engine/blocks.ts");
    const { PYTHON_MODULE } = await import("../src/guests/modules.ts");
    const { touchedFunctions } = await import("./touched.ts");
    const file = join(STAGE, "python-shipped.wasm");
    const module = prioritize(readFileSync(file), touchedFunctions("python", file));
    if (!WebAssembly.validate(Uint8Array.from(module))) throw new BuildError("The shipped python.wasm is not a valid module.");
    for (const old of globSync("python.wasm*", { cwd: GUESTS })) rmSync(join(GUESTS, old));
    writeFileSync(join(GUESTS, PYTHON_MODULE), encodeBlocks(module, module.length));
  },
};
