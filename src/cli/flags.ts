import { resolve } from "node:path";
import { REPEATABLE } from "../policy/grants.ts";
import { LIMITS, type LimitName, type LimitSpec } from "../policy/limits.ts";
import { usage } from "../policy/sentences.ts";
import { ANSWERS, type Answer, type Settings } from "../policy/settings.ts";
import { readConfig } from "./config.ts";
import { ANSWER, AUDIT, CONFIG, FLAG_ROWS, PROFILE, STATE_DIR, variableOf, WORKERS } from "./flag-rows.ts";
import { type Given, readGrants } from "./grants.ts";
import { misuse } from "./misuse.ts";

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
 * The settings that flags, BELLJAR_* variables and the config file come to; the first of these that names one wins.
 * @throws BelljarError BAD_ARGUMENT that names the flag or variable, its range and what was given.
 */
export function readSettings(values: ReadonlyMap<string, string>, env: NodeJS.ProcessEnv): Settings {
  const file = values.get(CONFIG.flag) ?? env[variableOf(CONFIG.flag)] ?? "";
  const config = file === "" ? undefined : readConfig(resolve(file));
  const source = (flag: string): Given => {
    const text = values.get(flag);
    if (text !== undefined) return { name: `--${flag}`, text };
    const variable = variableOf(flag);
    if (env[variable] !== undefined || config?.has(flag) !== true) return { name: variable, text: env[variable] };
    return { name: usage.inConfig(flag, file), text: config.get(flag) };
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
