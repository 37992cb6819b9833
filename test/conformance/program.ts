import { readdirSync, readFileSync } from "node:fs";
import { z } from "zod";
import type { Language } from "../../src/policy/limits.ts";

/**
 * A job and its programs, from a Markdown page: a `##` heading names the job; fences hold programs (`python`,
 * `javascript`, `typescript`), files given with them (`file PATH`), and what each program answers (`json` for
 * the result, `stdout`, `error TYPE` for the message, `wants` for the number of pictures and the files made).
 */
export interface Job {
  readonly title: string;
  readonly programs: readonly { readonly language: Language; readonly code: string }[];
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly result?: unknown;
  readonly stdout?: string;
  readonly error?: { readonly type: string; readonly message: string };
  readonly wants: z.infer<typeof wantsSchema>;
}

const wantsSchema = z.strictObject({ pictures: z.int().default(0), files: z.array(z.string()).default([]) });
const FENCE = /^```(\S+)(?: (.+))?\n([^]*?)^```$/gm;

/** The jobs of all pages. */
export function readJobs(folder: URL): Job[] {
  const pages = readdirSync(folder).filter((name) => name.endsWith(".md")).sort();
  return pages.flatMap((page) =>
    readFileSync(new URL(page, folder), "utf8")
      .split(/^## /m)
      .slice(1)
      .map((section) => readJob(section, page)),
  );
}

function readJob(section: string, page: string): Job {
  const title = `${page.replace(/\.md$/, "")}: ${section.slice(0, section.indexOf("\n"))}`;
  const fences = [...section.matchAll(FENCE)].map(([, kind = "", word = "", body = ""]) => ({ kind, word, body: body.replace(/\n$/, "") }));
  const only = (kind: string) => fences.find((fence) => fence.kind === kind);
  const result = only("json");
  const stdout = only("stdout");
  const error = only("error");
  const job = {
    title,
    programs: fences.flatMap(({ kind, body }) => {
      const language = languageOf(kind);
      return language === undefined ? [] : [{ language, code: body }];
    }),
    files: fences.filter(({ kind }) => kind === "file").map(({ word, body }) => ({ path: word, text: `${body}\n` })),
    ...(result && { result: parsed(result.body, title) }),
    ...(stdout && { stdout: `${stdout.body}\n` }),
    ...(error && { error: { type: error.word, message: error.body } }),
    wants: wantsSchema.parse(JSON.parse(only("wants")?.body ?? "{}")),
  };
  if (job.programs.length === 0) throw new Error(`${title}: no program`);
  return job;
}

function parsed(json: string, title: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new Error(`${title}: the result is no JSON`, { cause });
  }
}

function languageOf(kind: string): Language | undefined {
  if (kind === "python") return "python";
  return kind === "javascript" || kind === "typescript" ? "javascript" : undefined;
}
