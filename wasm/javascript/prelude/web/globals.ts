import { TextDecoder, TextEncoder } from "@exodus/bytes/encoding-lite.js";
import door from "belljar:guest/door";
import { AbortController, AbortSignal } from "./abort.ts";
import { Blob, File } from "./blob.ts";
import { structuredClone } from "./clone.ts";
import { crypto } from "./crypto.ts";
import { CustomEvent, Event, EventTarget } from "./events.ts";
import { URL, URLSearchParams } from "./url.ts";

/** Set when the first turn of an instance begins. */
let origin = 0;

/** Starts the clocks of an instance, which lay still in the image. */
export function startClocks(): void {
  if (origin === 0) origin = Date.now() - door.monotonic();
}

const performance = {
  now: () => door.monotonic(),
  get timeOrigin() {
    return origin;
  },
  mark: (name: unknown) => ({ name: String(name), entryType: "mark", startTime: door.monotonic(), duration: 0 }),
  toJSON: () => ({ timeOrigin: origin }),
};

async function fetch(): Promise<never> {
  throw new TypeError("fetch failed: this sandbox has no network. Pass the data in with the code, or as files.");
}

export const webGlobals = {
  AbortController,
  AbortSignal,
  Blob,
  CustomEvent,
  Event,
  EventTarget,
  File,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
  crypto,
  fetch,
  performance,
  structuredClone,
};
