import { BelljarError } from "../base/errors.ts";
import { type CanonicalMemory, type CoreImport, lowerBytes, readString, resultArea } from "./component.ts";

/** What of the host the WASI interfaces (version 0.2, by their core signatures) lead to. */
export interface Preview2Host {
  wallClockNs(): bigint;
  monotonicNs(): bigint;
  /** Takes what a dying guest says of itself. */
  lastWords(text: string): void;
}

const HANDLES = { stdin: 0, stdout: 1, stderr: 2, pollable: 3 } as const;
/** Bytes that one `write` to a stream may carry. */
const STREAM_ROOM = 4_096;
const NANOSECONDS = 1_000_000_000n;

/** What the runtime links but has no need of here: a call ends the turn. */
const REFUSED = {
  "wasi:filesystem/types@0.2.0": [
    "[method]descriptor.read-via-stream",
    "[method]descriptor.write-via-stream",
    "[method]descriptor.append-via-stream",
    "[method]descriptor.get-flags",
    "[method]descriptor.stat",
    "[method]descriptor.metadata-hash",
  ],
  $root: ["[waitable-set-new]", "[waitable-set-drop]", "[waitable-join]", "[subtask-cancel]", "[subtask-drop]"],
  "[export]$root": ["[task-cancel]"],
} as const satisfies Record<string, readonly string[]>;

/**
 * The imports of the JavaScript runtime's core module, each by its name and none but these. No file,
 * no socket, no environment; its streams lead to `lastWords` alone.
 */
export function preview2Imports(canonical: CanonicalMemory, host: Preview2Host): Record<string, Record<string, CoreImport>> {
  const area = (pointer: number, size: number): DataView => resultArea(canonical, pointer, size);
  const ignore = (): void => {};
  const succeed = (pointer: number): void => area(pointer, 1).setUint8(0, 0);
  const none = (pointer: number): void => area(pointer, 1).setUint8(0, 0);
  const empty = (pointer: number): void => area(pointer, 8).setUint32(4, 0, true);
  const noModule = (pointer: number): void => {
    const text = lowerBytes(canonical, new TextEncoder().encode("use import at the top level of the code: modules cannot be loaded here"));
    const result = area(pointer, 12);
    result.setUint8(0, 1);
    result.setUint32(4, text.pointer, true);
    result.setUint32(8, text.length, true);
  };
  let context = 0;

  const imports: Record<string, Record<string, CoreImport>> = {
    $root: { "[context-get-0]": () => context, "[context-set-0]": (value = 0) => void (context = value) },
    "[export]$root": {},
    "local:init/module-loader": {
      resolve: (_from, _fromLength, _name, _nameLength, result = 0) => noModule(result),
      load: (_path, _length, result = 0) => noModule(result),
    },
    wasi_snapshot_preview1: { reset_adapter_state: ignore },
    "wasi:random/insecure-seed@0.2.9": {
      "insecure-seed": (result = 0) => {
        const seed = crypto.getRandomValues(new BigUint64Array(2));
        const view = area(result, 16);
        view.setBigUint64(0, seed[0] ?? 0n, true);
        view.setBigUint64(8, seed[1] ?? 0n, true);
      },
    },
    "wasi:io/error@0.2.0": { "[resource-drop]error": ignore },
    "wasi:io/poll@0.2.0": { "[resource-drop]pollable": ignore, "[method]pollable.block": ignore, poll: refuse("poll") },
    "wasi:io/streams@0.2.0": {
      "[resource-drop]input-stream": ignore,
      "[resource-drop]output-stream": ignore,
      "[method]output-stream.check-write": (_stream, result = 0) => {
        const view = area(result, 16);
        view.setUint8(0, 0);
        view.setBigUint64(8, BigInt(STREAM_ROOM), true);
      },
      "[method]output-stream.write": (_stream, pointer = 0, length = 0, result = 0) => {
        host.lastWords(readString(canonical, pointer, length, STREAM_ROOM));
        succeed(result);
      },
      "[method]output-stream.blocking-flush": (_stream, result = 0) => succeed(result),
      "[method]output-stream.subscribe": () => HANDLES.pollable,
    },
    "wasi:cli/environment@0.2.0": { "get-environment": (result = 0) => empty(result) },
    "wasi:cli/exit@0.2.0": { exit: refuse("exit") },
    "wasi:cli/stdin@0.2.0": { "get-stdin": () => HANDLES.stdin },
    "wasi:cli/stdout@0.2.0": { "get-stdout": () => HANDLES.stdout },
    "wasi:cli/stderr@0.2.0": { "get-stderr": () => HANDLES.stderr },
    "wasi:cli/terminal-input@0.2.0": { "[resource-drop]terminal-input": ignore },
    "wasi:cli/terminal-output@0.2.0": { "[resource-drop]terminal-output": ignore },
    "wasi:cli/terminal-stdin@0.2.0": { "get-terminal-stdin": (result = 0) => none(result) },
    "wasi:cli/terminal-stdout@0.2.0": { "get-terminal-stdout": (result = 0) => none(result) },
    "wasi:cli/terminal-stderr@0.2.0": { "get-terminal-stderr": (result = 0) => none(result) },
    "wasi:clocks/monotonic-clock@0.2.0": { now: () => host.monotonicNs(), "subscribe-duration": () => HANDLES.pollable },
    "wasi:clocks/wall-clock@0.2.0": {
      now: (result = 0) => {
        const now = host.wallClockNs();
        const view = area(result, 16);
        view.setBigUint64(0, now / NANOSECONDS, true);
        view.setUint32(8, Number(now % NANOSECONDS), true);
      },
    },
    "wasi:filesystem/preopens@0.2.0": { "get-directories": (result = 0) => empty(result) },
    "wasi:filesystem/types@0.2.0": { "[resource-drop]descriptor": ignore },
  };
  for (const [module, names] of Object.entries(REFUSED)) {
    for (const name of names) imports[module] = { ...imports[module], [name]: refuse(name) };
  }
  return imports;
}

function refuse(name: string): CoreImport {
  return () => {
    throw new BelljarError("GUEST_FAULT", `the guest called ${name}, which is not there`);
  };
}
