import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { GRANTS, REPEATABLE } from "../policy/grants.ts";
import { LIMITS, type LimitName, type LimitSpec } from "../policy/limits.ts";
import { number, usage } from "../policy/sentences.ts";
import { ANSWERS, type Answer, type Settings } from "../policy/settings.ts";
import { type Given, readGrants } from "./grants.ts";
import { misuse } from "./misuse.ts";

/** A flag that takes a value, with its variable, as help and README show it. */
export interface FlagRow {
  readonly flag: string;
  readonly variable: string;
  readonly words: string;
  readonly default: string;
}

const WORKERS = {
  flag: "workers",
  unit: "threads",
  default: Math.min(4, availableParallelism()),
  minimum: 1,
  maximum: 64,
  words: "runs of one language at the same time",
} as const satisfies LimitSpec;

const ANSWER = { flag: "answer", words: "what an answer carries; auto fits it to the client's name" } as const;

const STATE_DIR = { flag: "state-dir", words: "folder in which named sandboxes outlive the server; nothing is written without it" } as const;

const AUDIT = { flag: "audit", words: "file to which each use of a grant is told, one JSON object a line; stderr without it" } as const;

const PROFILE = { flag: "profile", words: "on: each call tells on stderr where its time went, stage by stage", choices: ["off", "on"] } as const;

const NUMBERS: readonly LimitSpec[] = [...Object.values(LIMITS), WORKERS];

/** The flags of every command that runs code. */
export const FLAG_ROWS: readonly FlagRow[] = [
  ...NUMBERS.map((spec) => ({
    flag: spec.flag,
    variable: variableOf(spec.flag),
    words: `${spec.words} (${number(spec.minimum)} to ${number(spec.maximum)} ${spec.unit})`,
    default: spec === WORKERS ? "one a core, at most 4" : number(spec.default),
  })),
  { flag: ANSWER.flag, variable: variableOf(ANSWER.flag), words: `${ANSWER.words} (${ANSWERS.join(", ")})`, default: "auto" },
  { flag: STATE_DIR.flag, variable: variableOf(STATE_DIR.flag), words: STATE_DIR.words, default: "none" },
  ...Object.values(GRANTS).map(({ flag, value, words }) => ({
    flag,
    variable: variableOf(flag),
    words: `${value}: ${words}${REPEATABLE.has(flag) ? "; can be given many times" : ""}`,
    default: "none",
  })),
  { flag: AUDIT.flag, variable: variableOf(AUDIT.flag), words: AUDIT.words, default: "none" },
  { flag: PROFILE.flag, variable: variableOf(PROFILE.flag), words: PROFILE.words, default: "off" },
];

/** What a command line holds: settings' flags by name, the command's own flags, and the rest in order. */
export interface CommandLine {
  readonly values: ReadonlyMap<string, string>;
  readonly switches: ReadonlySet<string>;
  readonly rest: readonly string[];
}

/** Flags that one command knows besides those of all. */
export interface OwnFlags {
  readonly valued?: readonly string[];
  readonly switches?: readonly string[];
  /** Short flags that stand for valued ones: `-c` for `code`. */
  readonly short?: Readonly<Record<string, string>>;
}

/**
 * Splits a command line; `--` ends the flags.
 * @throws BelljarError BAD_ARGUMENT for an unknown flag, or one without its value.
 */
export function parseCommandLine(args: readonly string[], own: OwnFlags = {}): CommandLine {
  const valued = new Set([...FLAG_ROWS.map(({ flag }) => flag), ...(own.valued ?? [])]);
  const switches = new Set(own.switches ?? []);
  const values = new Map<string, string>();
  const found = new Set<string>();
  const rest: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? "";
    if (arg === "--") return { values, switches: found, rest: [...rest, ...args.slice(index + 1)] };
    const short = own.short?.[arg];
    const [, name = short, inline] = /^--([^=]+)(?:=([^]*))?$/.exec(arg) ?? [];
    if (name === undefined) {
      if (arg.startsWith("-") && arg !== "-") throw misuse(usage.unknownFlag(arg, [...valued, ...switches]));
      rest.push(arg);
    } else if (switches.has(name)) {
      if (inline !== undefined) throw misuse(usage.takesNoValue(`--${name}`));
      found.add(name);
    } else if (valued.has(name)) {
      const value = inline ?? args[(index += 1)];
      if (value === undefined) throw misuse(usage.needsValue(arg));
      const before = REPEATABLE.has(name) ? values.get(name) : undefined;
      values.set(name, before === undefined ? value : `${before},${value}`);
    } else throw misuse(usage.unknownFlag(`--${name}`, [...valued, ...switches]));
  }
  return { values, switches: found, rest };
}

/**
 * The settings that flags and BELLJAR_* variables come to; flags win.
 * @throws BelljarError BAD_ARGUMENT that names the flag or variable, its range and what was given.
 */
export function readSettings(values: ReadonlyMap<string, string>, env: NodeJS.ProcessEnv): Settings {
  const source = (flag: string): Given => {
    const text = values.get(flag);
    if (text !== undefined) return { name: `--${flag}`, text };
    return { name: variableOf(flag), text: env[variableOf(flag)] };
  };
  const readNumber = (spec: LimitSpec): number => {
    const { name, text } = source(spec.flag);
    if (text === undefined) return spec.default;
    if (!/^\d{1,16}$/.test(text)) throw misuse(usage.notANumber(name, text, spec));
    const value = Number(text);
    if (value < spec.minimum || value > spec.maximum) throw misuse(usage.outOfRange(name, value, spec));
    return value;
  };
  const readAnswer = (): Answer => {
    const { name, text } = source(ANSWER.flag);
    const found = ANSWERS.find((answer) => answer === (text ?? "auto"));
    if (found === undefined) throw misuse(usage.notOneOf(name, text ?? "", ANSWERS));
    return found;
  };
  const readProfile = (): boolean => {
    const { name, text = "off" } = source(PROFILE.flag);
    if (!PROFILE.choices.some((choice) => choice === text)) throw misuse(usage.notOneOf(name, text, PROFILE.choices));
    return text === "on";
  };
  const limits: Record<LimitName, number> = {
    timeout: readNumber(LIMITS.timeout),
    fuel: readNumber(LIMITS.fuel),
    pythonMemory: readNumber(LIMITS.pythonMemory),
    javascriptMemory: readNumber(LIMITS.javascriptMemory),
    output: readNumber(LIMITS.output),
    files: readNumber(LIMITS.files),
    writtenBytes: readNumber(LIMITS.writtenBytes),
    madeFiles: readNumber(LIMITS.madeFiles),
    openFiles: readNumber(LIMITS.openFiles),
    code: readNumber(LIMITS.code),
    queue: readNumber(LIMITS.queue),
    sandboxes: readNumber(LIMITS.sandboxes),
    idle: readNumber(LIMITS.idle),
    stored: readNumber(LIMITS.stored),
    kept: readNumber(LIMITS.kept),
    keptTime: readNumber(LIMITS.keptTime),
    netBytes: readNumber(LIMITS.netBytes),
    netHeaders: readNumber(LIMITS.netHeaders),
    netTimeout: readNumber(LIMITS.netTimeout),
    netRequests: readNumber(LIMITS.netRequests),
    netParallel: readNumber(LIMITS.netParallel),
  };
  const { text: stateDir = "" } = source(STATE_DIR.flag);
  const { text: audit = "" } = source(AUDIT.flag);
  return {
    limits,
    answer: readAnswer(),
    profile: readProfile(),
    workers: readNumber(WORKERS),
    ...readGrants(source, env, limits),
    ...(audit === "" ? {} : { audit: resolve(audit) }),
    ...(stateDir === "" ? {} : { stateDir: resolve(stateDir) }),
  };
}

function variableOf(flag: string): string {
  return `BELLJAR_${flag.toUpperCase().replaceAll("-", "_")}`;
}
