import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Image } from "../src/engine/image.ts";
import { GUESTS, STAGE, WHEEL } from "./paths.ts";
import type { Step } from "./step.ts";

/** Python at rest, before its first turn: the interpreter with the prelude, and with more and more of its packages. */
export const images: Step = {
  name: "images",
  inputs: ["wasm/python", "src/base", "src/engine", "src/guests", "src/host", "build/images.ts"],
  after: ["wheel", "meter", "web"],
  outputs: ["dist/guests/python-bare.image", "dist/guests/python-data.blocks", "dist/guests/python-plots.blocks", "dist/guests/python-science.blocks"],
  async run() {
    const { encodeBlocks } = await import("../src/engine/blocks.ts");
    const { encodeImage } = await import("../src/engine/image-file.ts");
    const { imageAsset, PACKED_IMAGES } = await import("../src/guests/python-images.ts");
    const { pythonFiles } = await import("../src/guests/python-files.ts");
    const { makePythonImages } = await import("../wasm/python/image.ts");
    const { pythonLoader } = await import("../wasm/python/loader.ts");
    const { memoryPages } = await import("./memory-pages.ts");
    const made = makePythonImages({
      module: new WebAssembly.Module(readFileSync(join(STAGE, "python.wasm"))),
      memoryPages: memoryPages(readFileSync(join(WHEEL, "python.wasm"))),
      files: pythonFiles(),
      loader: pythonLoader(),
    });
    for (const old of globSync("python-*.{image,blocks}", { cwd: GUESTS })) rmSync(join(GUESTS, old));
    let below: Image | undefined;
    for (const [name, image] of made) {
      const file = encodeImage(image, below === undefined ? {} : { base: below });
      const asset = imageAsset(name);
      writeFileSync(join(GUESTS, asset), PACKED_IMAGES.includes(asset) ? encodeBlocks(file) : file);
      below = image;
    }
  },
};
