import type { MessagePort } from "node:worker_threads";
import type { Grants, GrantUse } from "../policy/grants.ts";
import type { Language, Limits } from "../policy/limits.ts";
import type { Finished } from "./sandboxes.ts";
import type { WorkFile } from "../host/files/workspace.ts";
import type { SavedSandbox } from "../guests/guest.ts";
import type { GuestModules, Rooms } from "../guests/modules.ts";

/** What the engine tells a worker thread. */
export type ToWorker =
  | {
      readonly kind: "load";
      readonly language: Language;
      readonly rooms: Rooms;
      /** False when another thread has run the same modules before. */
      readonly first: boolean;
      readonly memoryBytes: number;
      readonly grants: Grants;
    }
  /** Once, after `load`: compiled, or the thread is ended. */
  | { readonly kind: "modules"; readonly modules: GuestModules }
  | {
      readonly kind: "run";
      readonly code: string;
      readonly limits: Limits;
      readonly files: readonly WorkFile[];
      /** One word, raised when the turn is to be killed. */
      readonly flag: SharedArrayBuffer;
      /** Carries `ToNet` there and `FromNet` back; none when no host was allowed. */
      readonly net?: MessagePort;
      readonly progress: boolean;
      readonly profile: boolean;
      /** Set for the turn of a named sandbox. */
      readonly kept?: KeptTurn;
    };

/** What a thread needs to know of a named sandbox. */
export interface KeptTurn {
  readonly name: string;
  /** What the turn before left; none in a new sandbox. */
  readonly saved: SavedSandbox | undefined;
  /** True when the thread still holds just that. */
  readonly held: boolean;
  readonly reseed: boolean;
  /** True when what earlier turns left pending is to be dropped: it was what an ended turn was stopped in. */
  readonly dropPending: boolean;
}

/** What a worker thread tells the engine. */
export type FromWorker =
  | { readonly kind: "ready" }
  /** A fault of this program's own; the thread ends. */
  | { readonly kind: "failed"; readonly reason: string }
  /** The sandbox is ready and the turn's own clock starts. */
  | { readonly kind: "begun" }
  | { readonly kind: "progress"; readonly elapsedMs: number; readonly fuel: number; readonly line: string }
  /** What the turn has used of what is granted, since it was told last. */
  | { readonly kind: "used"; readonly uses: readonly GrantUse[] }
  | { readonly kind: "done"; readonly finished: Finished }
  /** Follows the answer of a named sandbox's turn: what it left, or nothing when the turn doesn't count. */
  | ({ readonly kind: "rest" } & Rest)
  /** All that follows a turn's answer is done: a turn that is sent now begins at once. */
  | { readonly kind: "clean" };

/** What a turn leaves of a named sandbox. */
export interface Rest {
  /** Nothing when the turn doesn't count. */
  readonly saved: SavedSandbox | undefined;
  /** True when it doesn't, and was stopped in what an earlier one had left pending. */
  readonly wasInPending: boolean;
}
