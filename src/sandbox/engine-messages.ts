import * as z from "zod";
import { type FromNet, toNetSchema } from "../host/net/messages.ts";
import { storedSchema } from "../host/state/state-file.ts";
import type { StoredFile } from "../host/state/state-folder.ts";
import { GRANT_USES } from "../policy/grants.ts";
import type { Killer } from "../policy/killers.ts";
import { LANGUAGES } from "../policy/limits.ts";
import { SANDBOX_NAME } from "../policy/names.ts";
import { keptFileSchema, outcomeSchema, pictureSchema } from "../policy/outcome.ts";
import { PART_BYTES } from "./part.ts";
import type { ForkRequest, RunRequest, SandboxOptions } from "./sandboxes.ts";

/** What the server tells the engine. */
export type ToEngine =
  | { readonly kind: "open"; readonly options: SandboxOptions; readonly stored?: Stores }
  | { readonly kind: "run"; readonly id: string; readonly owner: string; readonly request: RunRequest; readonly progress: boolean; readonly profile: boolean }
  | { readonly kind: "stop"; readonly id: string; readonly by: Killer }
  | { readonly kind: "list"; readonly id: string; readonly owner: string }
  | { readonly kind: "fork"; readonly id: string; readonly owner: string; readonly request: ForkRequest }
  | { readonly kind: "close"; readonly id: string; readonly owner: string; readonly name: string }
  | { readonly kind: "net"; readonly id: string; readonly message: FromNet }
  | { readonly kind: "state"; readonly id: string; readonly answer: StateAnswer };

/** What is stored, by owner; an owner that isn't named has no store. */
export type Stores = ReadonlyMap<string, readonly StoredFile[]>;

/** What the server did with its files. */
export type StateAnswer =
  | { readonly act: "saved"; readonly diskBytes: number }
  /** The next part of a save, please. */
  | { readonly act: "next" }
  /** A part of a state that is `bytes` long in all; the last comes once the checksum was found right. */
  | { readonly act: "part"; readonly bytes: number; readonly part: Uint8Array }
  | { readonly act: "removed" }
  | { readonly act: "failed"; readonly reason: string };

/** Part of a path in the end, so what else it might be is refused on arrival. */
const sandboxName = z.string().regex(SANDBOX_NAME);

const part = z.instanceof(Uint8Array).refine(({ length }) => length <= PART_BYTES);

/** What the engine asks of the server's files; the parts of one state are asked one after the other, under one id. */
const stateRequestSchema = z.discriminatedUnion("act", [
  z.object({ act: z.literal("save"), owner: z.string(), stored: storedSchema, bytes: z.int().positive(), part }),
  z.object({ act: z.literal("part"), part }),
  z.object({ act: z.literal("load"), owner: z.string(), name: sandboxName }),
  z.object({ act: z.literal("next") }),
  z.object({ act: z.literal("remove"), owner: z.string(), name: sandboxName }),
]);
export type StateRequest = z.infer<typeof stateRequestSchema>;

const momentSchema = z.tuple([z.string(), z.number()]).readonly();

const sandboxInfoSchema = z.object({
  name: z.string(),
  language: z.enum(LANGUAGES),
  turns: z.number(),
  busy: z.boolean(),
  memoryBytes: z.number(),
  storedBytes: z.number(),
  diskBytes: z.number(),
  idleMs: z.number(),
  parent: z.string().optional(),
  children: z.array(z.string()).readonly(),
});

const grantUseSchema = z.object({
  what: z.enum(GRANT_USES),
  name: z.string(),
  times: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
});

/** What the engine tells the server; checked on arrival, since a guest that broke out would speak here. */
export const fromEngineSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ready"), language: z.enum(LANGUAGES) }),
  z.object({ kind: z.literal("failed"), language: z.enum(LANGUAGES), reason: z.string() }),
  z.object({ kind: z.literal("started"), id: z.string() }),
  z.object({ kind: z.literal("progress"), id: z.string(), elapsedMs: z.number(), fuel: z.number(), line: z.string() }),
  z.object({ kind: z.literal("used"), id: z.string(), uses: z.array(grantUseSchema).max(1_000) }),
  z.object({ kind: z.literal("refused"), id: z.string(), reason: z.string() }),
  z.object({ kind: z.literal("listed"), id: z.string(), sandboxes: z.array(sandboxInfoSchema).readonly() }),
  z.object({ kind: z.literal("state"), id: z.string(), request: stateRequestSchema }),
  z.object({ kind: z.literal("net"), id: z.string(), message: toNetSchema }),
  z.object({ kind: z.literal("closed"), id: z.string(), found: z.boolean() }),
  z.object({ kind: z.literal("done"), id: z.string(), outcome: outcomeSchema, pictures: z.array(pictureSchema), files: z.array(keptFileSchema), moments: z.array(momentSchema).optional() }),
]);
export type FromEngine = z.infer<typeof fromEngineSchema>;
