import * as z from "zod";

/** How a turn can end; everything but `ok` is an error to the client. */
export const STATUSES = ["ok", "error", "timeout", "out_of_fuel", "out_of_memory", "killed", "crashed"] as const;
export type Status = (typeof STATUSES)[number];

/** What went wrong in a turn, in terms of the code as it was given (lines and columns count from 1). */
export const failureSchema = z.object({
  type: z.string(),
  message: z.string(),
  line: z.int().optional(),
  column: z.int().optional(),
  traceback: z.string().optional(),
  exit_code: z.int().optional(),
});
export type Failure = z.infer<typeof failureSchema>;

/** What a guest itself tells of a turn. Untrusted: parsed with a cap, never believed about limits. */
export const reportSchema = z.object({
  status: z.enum(["ok", "error"]),
  /** The last expression as JSON; absent when there is none. */
  result: z.unknown().optional(),
  repr: z.string().optional(),
  error: failureSchema.optional(),
  /** Hints for the reader, one sentence each. */
  notes: z.array(z.string()).optional(),
  /** What the guest cut to its own caps. */
  truncated: z.array(z.enum(["result", "repr"])).optional(),
});
export type Report = z.infer<typeof reportSchema>;

export const outcomeSchema = z.object({
  status: z.enum(STATUSES).describe("how the run ended"),
  result: z.unknown().optional().describe("last expression as JSON; absent when there is none"),
  repr: z.string().optional().describe("how the language prints the result"),
  stdout: z.string(),
  stderr: z.string(),
  truncated: z.array(z.enum(["stdout", "stderr", "result", "repr"])).optional().describe("what was cut to its limit"),
  error: failureSchema.optional(),
  notes: z.array(z.string()).optional().describe("hints"),
  files: z
    .array(z.object({ path: z.string(), mime_type: z.string(), bytes: z.int(), uri: z.string().optional() }))
    .optional()
    .describe("files under /work that the run made or changed; read one by its uri"),
  pictures: z.int().optional().describe("how many pictures the run drew"),
  sandbox: z.string().optional().describe("name of the sandbox that was used, and is kept"),
  usage: z.object({ wall_ms: z.number(), fuel: z.number(), memory_bytes: z.number() }),
});

/** What a turn ends in: the tools' structured content. */
export type Outcome = z.infer<typeof outcomeSchema>;

/** A file that the turn made or changed, with its content. */
export const keptFileSchema = z.object({ path: z.string(), mimeType: z.string(), bytes: z.instanceof(Uint8Array) });
export type KeptFile = z.infer<typeof keptFileSchema>;

/** An image that the turn drew: a figure, a PIL image. */
export const pictureSchema = z.object({ name: z.string(), mimeType: z.string(), bytes: z.instanceof(Uint8Array) });
export type Picture = z.infer<typeof pictureSchema>;
