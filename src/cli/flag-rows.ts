import { availableParallelism } from "node:os";
import { GRANTS, REPEATABLE } from "../policy/grants.ts";
import { LIMITS, type LimitSpec } from "../policy/limits.ts";
import { number } from "../policy/sentences.ts";
import { ANSWERS } from "../policy/settings.ts";

/** What a config file may hold for a flag. */
export type FlagKind =
  | { readonly type: "number"; readonly minimum: number; readonly maximum: number }
  | { readonly type: "choice"; readonly choices: readonly string[] }
  /** `path` is true when it begins with a path, which is relative to the file. */
  | { readonly type: "text" | "list"; readonly path: boolean };

/** A flag that takes a value, with its variable, as help, README and the schema of the config file show it. */
export interface FlagRow {
  readonly flag: string;
  readonly variable: string;
  readonly words: string;
  readonly default: string;
  readonly kind: FlagKind;
}

export const WORKERS = {
  flag: "workers",
  unit: "threads",
  default: Math.min(4, availableParallelism()),
  minimum: 1,
  maximum: 64,
  words: "runs of one language at the same time",
} as const satisfies LimitSpec;

export const ANSWER = { flag: "answer", words: "what an answer carries; auto fits it to the client's name", choices: ANSWERS } as const;

export const STATE_DIR = { flag: "state-dir", words: "folder in which named sandboxes outlive the server; nothing is written without it" } as const;

export const AUDIT = { flag: "audit", words: "file to which each use of a grant is told, one JSON object a line; stderr without it" } as const;

export const PROFILE = { flag: "profile", words: "on: each call tells on stderr where its time went, stage by stage", choices: ["off", "on"] } as const;

export const CONFIG = { flag: "config", words: "JSON file that holds flags by their names; flags and variables win" } as const;

const NUMBERS: readonly LimitSpec[] = [...Object.values(LIMITS), WORKERS];
const PATHS: ReadonlySet<string> = new Set([GRANTS.read, GRANTS.write, GRANTS.packages].map(({ flag }) => flag));

/** The flags of every command that runs code. */
export const FLAG_ROWS: readonly FlagRow[] = [
  ...NUMBERS.map(({ flag, words, minimum, maximum, unit, default: usual }) => ({
    flag,
    variable: variableOf(flag),
    words: `${words} (${number(minimum)} to ${number(maximum)} ${unit})`,
    default: flag === WORKERS.flag ? "one a core, at most 4" : number(usual),
    kind: { type: "number", minimum, maximum } as const,
  })),
  choice(ANSWER, "auto", `${ANSWER.words} (${ANSWERS.join(", ")})`),
  file(STATE_DIR),
  ...Object.values(GRANTS).map(({ flag, value, words }) => ({
    flag,
    variable: variableOf(flag),
    words: `${value}: ${words}${REPEATABLE.has(flag) ? "; can be given many times" : ""}`,
    default: "none",
    kind: { type: REPEATABLE.has(flag) ? "list" : "text", path: PATHS.has(flag) } as const,
  })),
  file(AUDIT),
  file(CONFIG),
  choice(PROFILE, "off", PROFILE.words),
];

export function variableOf(flag: string): string {
  return `BELLJAR_${flag.toUpperCase().replaceAll("-", "_")}`;
}

function choice({ flag, choices }: { readonly flag: string; readonly choices: readonly string[] }, usual: string, words: string): FlagRow {
  return { flag, variable: variableOf(flag), words, default: usual, kind: { type: "choice", choices } };
}

function file({ flag, words }: { readonly flag: string; readonly words: string }): FlagRow {
  return { flag, variable: variableOf(flag), words, default: "none", kind: { type: "text", path: true } };
}
