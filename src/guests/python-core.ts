import { randomFillSync } from "node:crypto";
import { BelljarError } from "../base/errors.ts";
import { exportedFunction, exportedGlobals, exportedMeter, MEMORY_IMPORT } from "../engine/exports.ts";
import type { Meter } from "../engine/fuel.ts";
import type { Globals } from "../engine/image.ts";
import { type PageRecord, pageRecord } from "../engine/page-record.ts";
import { doorImport } from "../host/door.ts";
import type { Descriptors } from "../host/files/descriptors.ts";
import { wasiImports } from "../host/imports.ts";

/** Names of what the build exports from the guest for its host, and the function of CPython behind each. */
export const PYTHON_EXPORTS = {
  "belljar:interrupt": "PyErr_SetInterruptEx",
  "belljar:call": "PyObject_CallNoArgs",
  "belljar:clear": "PyErr_Clear",
  "belljar:attach": "PyGILState_Ensure",
} as const;

const SIGINT = 2;

/** What a Python instance asks of its host; the fields are exchanged from turn to turn. */
export interface PythonHost {
  files: Descriptors;
  write: (stream: "stdout" | "stderr", bytes: Uint8Array) => void;
  wait: (ms: number) => void;
  /** Answers a message of the prelude. */
  door: (message: Uint8Array) => Uint8Array;
  /** Asked whenever the host has done something for the guest; may throw to unwind it. */
  look: () => void;
  /** Where the guest's monotonic clock is zero, by `performance.now`: it tells nothing of the host's uptime. */
  clockStart: number;
}

/** One instance of CPython, wired to its host. */
export interface PythonCore {
  readonly memory: WebAssembly.Memory;
  readonly globals: Globals;
  readonly meter: Meter;
  /** The pages that guest and host have written to. */
  readonly record: PageRecord;
  /** Raises KeyboardInterrupt at the guest's next bytecode. */
  interrupt(): void;
  /**
   * Makes the interpreter ready to be called amid whatever it does: takes back its lock, which C code lets go of while
   * it is busy, and forgets an exception that is on its way. What was going on can't go on afterwards.
   */
  seize(): void;
  /**
   * Calls a Python function of no arguments by its address; it returns None, which is immortal, so nothing is released.
   * @throws BelljarError GUEST_FAULT when it raised.
   */
  call(address: number): void;
  /** Starts the interpreter of a module that still has its data segments: at build time only. */
  initialize(): void;
  /** Runs source in `__main__`, as the guest's own `turn` does: at build time only. */
  execute(source: string): void;
}

/** The environment that CPython reads when it starts: part of every image. */
const ENVIRONMENT = {
  HOME: "/work",
  PWD: "/work",
  TMPDIR: "/tmp",
  LANG: "C.UTF-8",
  TZ: "UTC",
  PYTHONTZPATH: "",
  MPLBACKEND: "agg",
  MPLCONFIGDIR: "/tmp/matplotlib",
} as const;

/** Instantiates the guest's core module on a memory; every import is one of `wasiImports` or the door. */
export function instantiatePython(module: WebAssembly.Module, memory: WebAssembly.Memory, host: PythonHost): PythonCore {
  const touched = (pointer: number, length: number): void => record.mark(pointer, length);
  const wasi = wasiImports({
    memory,
    touched,
    get files() {
      return host.files;
    },
    output: { write: (stream, bytes) => host.write(stream, bytes) },
    args: ["python"],
    env: ENVIRONMENT,
    clock: {
      realtimeNs: () => BigInt(Date.now()) * 1_000_000n,
      monotonicNs: () => BigInt(Math.round((performance.now() - host.clockStart) * 1_000_000)),
    },
    random: (into) => void randomFillSync(into),
    wait: (ms) => host.wait(ms),
    exit: (code) => {
      throw new BelljarError("GUEST_EXIT", `exit ${code}`, { cause: code });
    },
    look: () => host.look(),
  });
  const door = doorImport(
    memory,
    (length) => Number(hostAlloc(length)),
    (message) => {
      const answer = host.door(message);
      host.look();
      return answer;
    },
    touched,
  );
  const instance = new WebAssembly.Instance(module, {
    [MEMORY_IMPORT.module]: { [MEMORY_IMPORT.name]: memory },
    wasi_snapshot_preview1: wasi,
    host: { call: door },
  });
  const record = pageRecord(instance, memory);
  const hostAlloc = exportedFunction(instance, "host_alloc");
  const interrupt = exportedFunction(instance, "belljar:interrupt");
  const attach = exportedFunction(instance, "belljar:attach");
  const clear = exportedFunction(instance, "belljar:clear");
  const callNoArgs = exportedFunction(instance, "belljar:call");

  return {
    memory,
    globals: exportedGlobals(instance),
    meter: exportedMeter(instance),
    record,
    interrupt() {
      interrupt(SIGINT);
    },
    seize() {
      attach();
      clear();
    },
    call(address) {
      if (callNoArgs(address) === 0) throw new BelljarError("GUEST_FAULT", "an exception left the prelude");
    },
    initialize() {
      exportedFunction(instance, "_initialize")();
    },
    execute(source) {
      const bytes = new TextEncoder().encode(source);
      const at = Number(hostAlloc(bytes.length)) >>> 0;
      new Uint8Array(memory.buffer).set(bytes, at);
      const status = Number(exportedFunction(instance, "turn")(at, bytes.length));
      if (status !== 0) throw new BelljarError("GUEST_FAULT", `the source ended with status ${status}`);
    },
  };
}
