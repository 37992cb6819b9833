import type { Language, Limits } from "../policy/limits.ts";
import type { Finished } from "./sandboxes.ts";
import type { WorkFile } from "../host/files/workspace.ts";
import type { GuestAssets } from "../guests/load.ts";

/** What the engine tells a worker thread. */
export type ToWorker =
  | { readonly kind: "load"; readonly assets: GuestAssets; readonly memoryBytes: number }
  | {
      readonly kind: "run";
      readonly code: string;
      readonly limits: Limits;
      readonly files: readonly WorkFile[];
      /** One word: 1 when the turn is to be killed. */
      readonly flag: SharedArrayBuffer;
      readonly progress: boolean;
    };

/** What a worker thread tells the engine. */
export type FromWorker =
  | { readonly kind: "ready"; readonly language: Language }
  | { readonly kind: "progress"; readonly elapsedMs: number; readonly fuel: number; readonly line: string }
  | { readonly kind: "done"; readonly finished: Finished };
