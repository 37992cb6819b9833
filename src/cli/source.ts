import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { messageOf } from "../base/errors.ts";
import type { Language } from "../policy/limits.ts";
import { usage } from "../policy/sentences.ts";
import type { Invocation } from "./command.ts";
import { type CommandLine } from "./flags.ts";
import { misuse } from "./misuse.ts";

const LANGUAGES_BY_ENDING: Readonly<Record<string, Language>> = {
  ".py": "python",
  ".js": "javascript",
  ".mjs": "javascript",
  ".cjs": "javascript",
  ".ts": "javascript",
  ".mts": "javascript",
};

const LANGUAGES_BY_NAME: Readonly<Record<string, Language>> = {
  python: "python",
  py: "python",
  javascript: "javascript",
  js: "javascript",
  typescript: "javascript",
  ts: "javascript",
};

/** What is to be run. */
export interface Source {
  readonly language: Language;
  readonly code: string;
}

/**
 * Finds the code and its language: from `-c CODE`, a file, or standard input for `-`. Python, unless
 * `--lang` or the file's ending says otherwise.
 * @throws BelljarError BAD_ARGUMENT when there is none, more than one, or it cannot be read.
 */
export async function readSource({ values, rest }: CommandLine, stdin: Invocation["stdin"]): Promise<Source> {
  const given = values.get("code");
  const [file, ...more] = rest;
  if (more.length > 0 || (given !== undefined && file !== undefined)) throw misuse(usage.twoSources());
  const language = languageOf(values.get("lang"), given === undefined ? file : undefined);
  if (given !== undefined) return { language, code: given };
  if (file === undefined) throw misuse(usage.noSource());
  return { language, code: decode(file, file === "-" ? await readAll(stdin) : await read(file)) };
}

function languageOf(named: string | undefined, file: string | undefined): Language {
  if (named !== undefined) return languageNamed("--lang", named);
  if (file === undefined || file === "-") return "python";
  const language = LANGUAGES_BY_ENDING[extname(file).toLowerCase()];
  if (language === undefined) throw misuse(usage.noLanguage(file));
  return language;
}

/** @throws BelljarError BAD_ARGUMENT that names `source` when it is no language's name. */
export function languageNamed(source: string, name: string): Language {
  const known = name.toLowerCase();
  const language = Object.hasOwn(LANGUAGES_BY_NAME, known) ? LANGUAGES_BY_NAME[known] : undefined;
  if (language === undefined) throw misuse(usage.notOneOf(source, name, ["python", "javascript"]));
  return language;
}

async function read(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (error) {
    throw misuse(usage.unreadable(file, messageOf(error)));
  }
}

async function readAll(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function decode(file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw misuse(usage.notUtf8(file));
  }
}
