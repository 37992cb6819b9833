import { join } from "node:path";
import { GUESTS } from "./paths.ts";
import type { Step } from "./step.ts";

/** The JavaScript guest: its prelude bundled, made a component, transpiled to core modules, and metered. */
export const guests: Step = {
  name: "guests",
  inputs: ["wasm/javascript", "wasm/guest.wit", "wasm/meter", "src/base", "src/engine", "src/guests", "src/host", "package-lock.json", "build/guests.ts"],
  after: [],
  outputs: ["dist/guests/javascript"],
  async run() {
    const { buildJavascriptGuest } = await import("../wasm/javascript/build.ts");
    await buildJavascriptGuest({ outDir: join(GUESTS, "javascript") });
  },
};
