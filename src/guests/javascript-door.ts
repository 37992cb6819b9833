import { BelljarError } from "../base/errors.ts";
import type { FileAnswer } from "../host/files/requests.ts";
import { type CanonicalMemory, type CoreImport, lowerBytes, readString, resultArea, viewBytes } from "../host/component.ts";

/** The host's side of the door of wasm/guest.wit. */
export interface JavascriptDoor {
  enter(): void;
  catchable(report: string): void;
  /** The bytes are only valid during the call. */
  write(stream: "stdout" | "stderr", bytes: Uint8Array): void;
  /** True when the turn is to end. */
  wait(ms: number): boolean;
  monotonicNs(): bigint;
  /** True when memory can't grow any more. */
  full(): boolean;
  /** Answers a request for the sandbox's files; the content is only valid during the call. */
  file(request: string, content: Uint8Array): FileAnswer;
  /** Answers a request of the network, and may wait for it; the content is only valid during the call. */
  net(request: string, content: Uint8Array): FileAnswer;
  /** Unwinds the guest. */
  exit(code: number): never;
  /** Takes the report of the turn. */
  report(json: string): void;
}

/** Bytes of one write, of one report, of one request for random bytes. */
const WRITE_CAP = 64 * 1_024 * 1_024;
const REPORT_CAP = 16 * 1_024 * 1_024;
const RANDOM_CAP = 65_536;
const STREAMS = ["stdout", "stderr"] as const;

/** The core imports that carry the door, and the results of the guest's exports. */
export function doorImports(
  canonical: CanonicalMemory,
  host: JavascriptDoor,
): { readonly door: Record<string, CoreImport>; readonly results: Record<string, CoreImport> } {
  /** A function from text and bytes to text and bytes. */
  const asking = (answer: (request: string, content: Uint8Array) => FileAnswer): CoreImport => (request = 0, requestLength = 0, content = 0, contentLength = 0, result = 0) => {
    const text = readString(canonical, request, requestLength, WRITE_CAP);
    const answered = answer(text, viewBytes(canonical, content, contentLength, WRITE_CAP));
    const told = lowerBytes(canonical, new TextEncoder().encode(answered.answer));
    const bytes = lowerBytes(canonical, answered.content);
    const view = resultArea(canonical, result, 16);
    view.setUint32(0, told.pointer, true);
    view.setUint32(4, told.length, true);
    view.setUint32(8, bytes.pointer, true);
    view.setUint32(12, bytes.length, true);
  };

  return {
    door: {
      enter: () => host.enter(),
      write: (stream = 0, pointer = 0, length = 0) => {
        const name = STREAMS[stream];
        if (name === undefined) throw new BelljarError("GUEST_FAULT", `there is no stream ${stream}`);
        host.write(name, viewBytes(canonical, pointer, length, WRITE_CAP));
      },
      catchable: (pointer = 0, length = 0) => host.catchable(readString(canonical, pointer, length, REPORT_CAP)),
      wait: (milliseconds = 0) => (milliseconds > 0 && host.wait(milliseconds) ? 1 : 0),
      monotonic: () => Number(host.monotonicNs()) / 1_000_000,
      full: () => (host.full() ? 1 : 0),
      random: (count = 0, result = 0) => {
        const size = count >>> 0;
        if (size > RANDOM_CAP) throw new BelljarError("GUEST_FAULT", `${size} random bytes at once, and at most ${RANDOM_CAP} are given`);
        const bytes = lowerBytes(canonical, crypto.getRandomValues(new Uint8Array(size)));
        const view = resultArea(canonical, result, 8);
        view.setUint32(0, bytes.pointer, true);
        view.setUint32(4, bytes.length, true);
      },
      file: asking((request, content) => host.file(request, content)),
      net: asking((request, content) => host.net(request, content)),
      exit: (code = 0) => host.exit(code | 0),
    },
    results: {
      "[task-return]turn": () => {},
      "[task-return]next": (isSome = 0, pointer = 0, length = 0) => {
        if (isSome !== 0) host.report(readString(canonical, pointer, length, REPORT_CAP));
      },
    },
  };
}
