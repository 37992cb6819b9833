import { Proxy as InspectedProxy } from "node-inspect-extracted";
import { consoleObject } from "./console.ts";
import { installIntl } from "./intl/install.ts";
import { setName } from "./names.ts";
import { installStack } from "./stack.ts";
import { timerGlobals } from "./timers.ts";
import { Buffer } from "./node/require.ts";
import { webGlobals } from "./web/globals.ts";

/** Adds globals as the platform has them: under their own names, writable, configurable, not enumerable. */
function define(values: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === "function") setName(value, name);
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
  }
}

// A proxy that is to be shown is shown by its target: no trap of the user's runs.
installStack();
installIntl();
define({ ...timerGlobals, ...webGlobals, Buffer, Proxy: InspectedProxy, console: consoleObject, global: globalThis });
// The runtime calls its own functions by this name.
Object.defineProperty(globalThis, "__cqjs", { enumerable: false });
for (const name of ["Atomics", "wit"]) Reflect.deleteProperty(globalThis, name);
