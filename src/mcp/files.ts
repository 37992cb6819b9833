import * as z from "zod";
import { number, refusals } from "../policy/sentences.ts";

const WORK = "/work/";
const MOST_FILES = 100;
const LONGEST_PATH = 1_024;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** A file given with a call, decoded; its path is absolute. */
export interface GivenFile {
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const entry = z.strictObject(
  {
    path: z.string().max(LONGEST_PATH).describe("beneath /work, such as data/sales.csv"),
    text: z.string().optional().describe("content as text"),
    base64: z.string().optional().describe("content as base64"),
  },
  { error: (issue) => (issue.code === "unrecognized_keys" ? refusals.unknownArguments(issue.keys, ["path", "text", "base64"]) : undefined) },
);

/** The argument `files`: written beneath /work before the code runs, `maximum` bytes together. */
export function files(maximum: number) {
  return z
    .array(entry, { error: ({ input }) => refusals.wrongType("files", "an array of {path, text or base64}", input) })
    .max(MOST_FILES, { error: ({ input }) => refusals.tooBig("files", MOST_FILES, "files", Array.isArray(input) ? input.length : 0) })
    .default([])
    .describe(`files to write under /work first: at most ${number(MOST_FILES)}, ${number(maximum)} bytes together`)
    .transform((given, context): GivenFile[] => {
      const decoded: GivenFile[] = [];
      for (const [index, file] of given.entries()) {
        const path = placeOf(file.path);
        const bytes = contentOf(file);
        if (path === undefined) context.addIssue(refusals.badPath(index, file.path));
        else if (bytes === undefined) context.addIssue(refusals.badContent(index, file.path));
        else decoded.push({ path, bytes });
      }
      const total = decoded.reduce((sum, { bytes }) => sum + bytes.length, 0);
      if (total > maximum) context.addIssue(refusals.tooBig("files", maximum, "bytes", total));
      return decoded;
    });
}

/** The absolute path that a given one means, or nothing when it doesn't stay beneath /work. */
function placeOf(path: string): string | undefined {
  const inside = path.startsWith(WORK) ? path.slice(WORK.length) : path;
  const names = inside.split("/");
  const fine = names.every((name) => name !== "" && name !== "." && name !== ".." && !name.includes("\0"));
  return fine && inside.isWellFormed() ? WORK + inside : undefined;
}

function contentOf({ text, base64 }: z.output<typeof entry>): Uint8Array<ArrayBuffer> | undefined {
  if (text !== undefined && base64 === undefined) return new TextEncoder().encode(text);
  if (base64 === undefined || text !== undefined || !BASE64.test(base64)) return undefined;
  return Uint8Array.from(Buffer.from(base64, "base64"));
}
