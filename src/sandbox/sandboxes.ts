import type { ChildProcess } from "node:child_process";
import type { Moment } from "../base/moments.ts";
import type { Grants } from "../policy/grants.ts";
import type { Language } from "../policy/limits.ts";
import type { SandboxInfo } from "../policy/sandbox-info.ts";
import type { KeptFile, Outcome, Picture } from "../policy/outcome.ts";
import type { OpenNetwork } from "./network.ts";

/** One call of an execute tool, or of `belljar run`, with its arguments checked and its limits resolved. */
export interface RunRequest {
  readonly language: Language;
  readonly code: string;
  readonly timeoutMs: number;
  readonly fuel: number;
  readonly memoryMb: number;
  /** Runs in the sandbox of that name, made on first use and kept; without it in one of its own. */
  readonly sandbox?: string;
  /** Written before the turn; absolute paths beneath /work. */
  readonly files: readonly { readonly path: string; readonly bytes: Uint8Array<ArrayBuffer> }[];
}

/** What a client may be told while a turn runs. */
export interface Progress {
  readonly executionId: string;
  readonly elapsedMs: number;
  readonly fuel: number;
  /** The newest line of output, at most 200 characters. */
  readonly line: string;
}

export interface RunHooks {
  /** Aborting stops the turn; its outcome is `killed`, by the one that the reason names (policy/killers). */
  readonly signal?: AbortSignal;
  /** Called at most twice a second, the first time when the turn starts. */
  readonly onProgress?: (progress: Progress) => void;
  /** True when the answer is to say when each of its stages ended. */
  readonly profile?: boolean;
}

/** An outcome with what does not fit in JSON. */
export interface Finished {
  readonly outcome: Outcome;
  readonly pictures: readonly Picture[];
  /** The contents of the outcome's files, in the same order. */
  readonly files: readonly KeptFile[];
  /** The stages of the call in their order, when they are asked for. */
  readonly moments?: readonly Moment[];
}

/** A turn that waits or runs. */
export interface Execution {
  readonly id: string;
  readonly language: Language;
  /** The named sandbox it runs in. */
  readonly sandbox: string | undefined;
  readonly state: "queued" | "running";
  readonly elapsedMs: number;
}

export interface ForkRequest {
  readonly from: string;
  readonly to: string;
  /** Random generators of the copy start anew. */
  readonly reseed: boolean;
}

/** Where sandboxes are to outlive the server. */
export interface StateOptions {
  /** A folder; made when it isn't there. */
  readonly folder: string;
  /** Belljar's version: what another one wrote is not read. */
  readonly version: string;
}

/** Files that the server itself writes to. */
export interface ServerFiles {
  /** An engine's process that was started ahead, with the rights that the grants come to; another one is started when it is gone. */
  readonly engine?: ChildProcess | undefined;
  readonly state?: StateOptions | undefined;
  /** Where uses of grants are told; standard error without it. */
  readonly auditFile?: string | undefined;
  /** Makes the requests of the code; none when no host was allowed. */
  readonly openNetwork?: OpenNetwork | undefined;
}

/** All sandboxes of one server; disposing it stops every turn, and frees every thread and process. */
export interface Sandboxes extends AsyncDisposable {
  /**
   * Runs code in a sandbox of its own. Whatever the code does, this resolves.
   * @throws BelljarError QUEUE_FULL when too many calls wait.
   */
  run(request: RunRequest, hooks?: RunHooks): Promise<Finished>;
  /** Resolves with the milliseconds since opening when that language can take its first call. */
  ready(language: Language): Promise<number>;
  list(): Promise<readonly SandboxInfo[]>;
  /** @throws BelljarError REFUSED with the reason. */
  fork(request: ForkRequest): Promise<SandboxInfo>;
  /** Ends a named sandbox, stopping what runs in it; false when there is none. */
  close(name: string): Promise<boolean>;
  executions(): readonly Execution[];
  /** Stops a turn; false when no turn has that id. */
  kill(executionId: string): boolean;
}

/** The server's settings that sandboxes need; each value inside its row of the limits table. */
export interface SandboxOptions {
  /** Ceiling of a sandbox that no call has changed: the ones made ready ahead have this. */
  readonly memoryMb: Readonly<Record<Language, number>>;
  /** Languages to load before a call asks for them, in this order. */
  readonly ahead: readonly Language[];
  readonly outputBytes: number;
  readonly fileBytes: number;
  readonly queue: number;
  /** Named sandboxes at most; in memory, when they are stored. */
  readonly sandboxes: number;
  /** Named sandboxes that are stored, at most. */
  readonly stored: number;
  /** How long an unused sandbox that is stored stays in memory. */
  readonly idleMs: number;
  /** Worker threads, each running one turn at a time. */
  readonly workers: number;
  readonly grants: Grants;
}
