import door from "belljar:guest/door";
import { consoleObject } from "./console.ts";
import { installStack } from "./stack.ts";
import { timerGlobals } from "./timers.ts";

/** Adds globals as the platform has them: writable, configurable, not enumerable. */
function define(values: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(values)) {
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
  }
}

installStack();
define({ ...timerGlobals, console: consoleObject, global: globalThis, performance: { now: () => door.monotonic(), timeOrigin: 0 } });
