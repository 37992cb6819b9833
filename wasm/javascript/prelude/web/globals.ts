import { TextDecoder, TextEncoder } from "@exodus/bytes/encoding-lite.js";
import door from "belljar:guest/door";
import { AbortController, AbortSignal } from "./abort.ts";
import { Blob, File } from "./blob.ts";
import { structuredClone } from "./clone.ts";
import { crypto } from "./crypto.ts";
import { CustomEvent, Event, EventTarget } from "./events.ts";
import { atob, btoa, DOMException } from "./exception.ts";
import { fetch } from "./fetch.ts";
import { FormData } from "./form-data.ts";
import { Headers } from "./headers.ts";
import { Request } from "./request.ts";
import { Response } from "./response.ts";
import { ReadableStream, TextDecoderStream } from "./streams.ts";
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

export const webGlobals = {
  AbortController,
  AbortSignal,
  Blob,
  CustomEvent,
  DOMException,
  Event,
  EventTarget,
  File,
  FormData,
  Headers,
  ReadableStream,
  Request,
  Response,
  TextDecoder,
  TextDecoderStream,
  TextEncoder,
  URL,
  URLSearchParams,
  atob,
  btoa,
  crypto,
  fetch,
  performance,
  structuredClone,
};
