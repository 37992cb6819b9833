import { z } from "zod";
import { LANGUAGES } from "../policy/limits.ts";
import { keptFileSchema, outcomeSchema, pictureSchema } from "../policy/outcome.ts";
import type { ForkRequest, RunRequest, SandboxOptions } from "./sandboxes.ts";

/** What the server tells the engine. */
export type ToEngine =
  | { readonly kind: "open"; readonly options: SandboxOptions }
  | { readonly kind: "run"; readonly id: string; readonly request: RunRequest; readonly progress: boolean }
  | { readonly kind: "stop"; readonly id: string }
  | { readonly kind: "list"; readonly id: string }
  | { readonly kind: "fork"; readonly id: string; readonly request: ForkRequest }
  | { readonly kind: "close"; readonly id: string; readonly name: string };

const sandboxInfoSchema = z.object({
  name: z.string(),
  language: z.enum(LANGUAGES),
  turns: z.number(),
  busy: z.boolean(),
  memoryBytes: z.number(),
  storedBytes: z.number(),
  idleMs: z.number(),
  parent: z.string().optional(),
  children: z.array(z.string()).readonly(),
});

/** What the engine tells the server; checked on arrival, since a guest that broke out would speak here. */
export const fromEngineSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ready"), language: z.enum(LANGUAGES) }),
  z.object({ kind: z.literal("failed"), language: z.enum(LANGUAGES), reason: z.string() }),
  z.object({ kind: z.literal("started"), id: z.string() }),
  z.object({ kind: z.literal("progress"), id: z.string(), elapsedMs: z.number(), fuel: z.number(), line: z.string() }),
  z.object({ kind: z.literal("refused"), id: z.string(), reason: z.string() }),
  z.object({ kind: z.literal("listed"), id: z.string(), sandboxes: z.array(sandboxInfoSchema).readonly() }),
  z.object({ kind: z.literal("closed"), id: z.string(), found: z.boolean() }),
  z.object({ kind: z.literal("done"), id: z.string(), outcome: outcomeSchema, pictures: z.array(pictureSchema), files: z.array(keptFileSchema) }),
]);
export type FromEngine = z.infer<typeof fromEngineSchema>;
