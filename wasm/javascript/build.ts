import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { transpile } from "@bytecodealliance/jco";
import { componentize } from "componentize-qjs";
import { encodeImage } from "../../src/engine/image-file.ts";
import { bundlePrelude } from "./bundle.ts";
import { type Cores, meterCores, pickCores } from "./cores.ts";
import { makeJavascriptImage } from "./image.ts";

const WIT = fileURLToPath(new URL("../guest.wit", import.meta.url));

/** The component's core modules, as jco splits them, before they are metered. */
export async function javascriptCores(): Promise<Cores> {
  const { component } = await componentize({ witPath: WIT, jsSource: await bundlePrelude() });
  const { files } = await transpile(component, { name: "guest", instantiation: "async", wasiShim: false, noTypescript: true });
  return pickCores(Object.entries(files));
}

/** Builds the JavaScript guest: `runtime.wasm`, `bindings.wasm` (both metered) and `image`, in `outDir`. */
export async function buildJavascriptGuest({ outDir }: { readonly outDir: string }): Promise<void> {
  const cores = await javascriptCores();
  const metered = meterCores(cores);
  const modules = {
    runtime: new WebAssembly.Module(Uint8Array.from(metered.runtime)),
    bindings: new WebAssembly.Module(Uint8Array.from(metered.bindings)),
  };
  const image = await makeJavascriptImage(modules, cores.state);
  mkdirSync(outDir, { recursive: true });
  writeFileSync(join(outDir, "runtime.wasm"), metered.runtime);
  writeFileSync(join(outDir, "bindings.wasm"), metered.bindings);
  writeFileSync(join(outDir, "image"), encodeImage(image));
}
