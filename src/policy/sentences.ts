import type { SandboxInfo } from "./sandbox-info.ts";
import type { Killer } from "./killers.ts";
import { LIMITS, type Language, type LimitSpec } from "./limits.ts";

/** How a language is called in a sentence. */
export const LANGUAGE_NAMES = { python: "Python", javascript: "JavaScript" } as const satisfies Record<Language, string>;

const MIB = 1_048_576;

/** A number with thousands marked, whatever the locale of the host. */
export function number(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: 3 });
}

/** A count with its noun: "1 line", "2,000 lines". */
export function count(amount: number, noun: string): string {
  const ending = amount === 1 ? "" : /(?:x|s|ch)$/.test(noun) ? "es" : "s";
  return `${number(amount)} ${noun}${ending}`;
}

const KILLED_BY = {
  kill_execution: "Stopped by a call of kill_execution.",
  cancel: "Stopped because the client cancelled its request.",
  interrupt: "Stopped by Ctrl-C, or by a signal to end.",
  close_sandbox: "Stopped by close_sandbox, which ended the sandbox it ran in.",
  shutdown: "Stopped because the server ends.",
} as const satisfies Record<Killer, string>;

/** Ends of a turn: the `message` of the outcome's error. */
export const sentences = {
  timeout: (ms: number): string =>
    `Stopped after ${number(ms)} ms (timeout_ms). Make the work smaller, or split it over several calls.`,
  outOfFuel: (fuel: number): string =>
    `Stopped after ${number(fuel)} instructions (fuel). Make the work smaller, or split it over several calls.`,
  outOfMemory: (bytes: number, language: Language): string =>
    `${LANGUAGE_NAMES[language]} needed more than its ${number(bytes / MIB)} MiB of memory (memory_mb). Keep less of the data at once, or work on it in parts.`,
  stackOverflow: (): string =>
    "The code calls itself too deep for the stack. Write the recursion as a loop, or make it end sooner.",
  killed: (by: Killer): string => KILLED_BY[by],
  crashed: (reason: string): string =>
    `The sandbox broke: ${reason}. Nothing else is harmed; the next call gets a new one. If the same code does it again, it is a fault of Belljar worth reporting.`,
  broke: (reason: string): string =>
    `The sandbox broke: ${reason}. Nothing else is harmed; the next call gets a new one. Code that aborts, raises a fatal signal, or tampers with its memory or its interpreter breaks its own sandbox; if this code does none of that, it is a fault of Belljar worth reporting.`,
  lostBefore: (name: string): string =>
    `The sandbox ${quote(name)} was lost when its process ended; this run began in a new one of that name.`,
  lostSandboxes: (): string => "The process that held the sandboxes ended, and they with it. Make them anew.",
  engineGone: (): string => "its process ended",
  exit: (code: number): string => `The code ended the run with exit code ${String(code)}.`,
  exitZero: (): string => "The code ended the run itself, with exit code 0.",
  hugeReport: (bytes: number, maximum: number): string =>
    `the answer was ${number(bytes)} bytes, and at most ${number(maximum)} are read`,
  badReport: (): string => "the answer of the guest could not be read",
  asBefore: (name: string): string => `The sandbox ${quote(name)} is exactly as it was before this run, files too.`,
  asBeforeButPending: (name: string): string =>
    `The sandbox ${quote(name)} is as it was before this run, files too, but for the timers that earlier runs had left pending: one of them ran when this run was stopped, so the next run drops them.`,
  keptBefore: (name: string): string => `What ran before the stop is kept in the sandbox ${quote(name)}: variables, imports and files.`,
  tooManySandboxes: (most: number, names: readonly string[]): string =>
    `${count(most, "named sandbox")} are kept already, which is the most (--${LIMITS.sandboxes.flag}): ${names.join(", ")}. Close one with close_sandbox, or use one of them.`,
  noSandbox: (name: string, names: readonly string[]): string =>
    `There is no sandbox named ${quote(name)}. ${names.length === 0 ? "None is kept; pass a name as sandbox to an execute tool to make one." : `Kept are: ${names.join(", ")}.`}`,
  nameTaken: (name: string): string => `A sandbox named ${quote(name)} is there already. Choose another name, or close it first.`,
  otherLanguage: (name: string, language: Language): string =>
    `The sandbox ${quote(name)} holds ${LANGUAGE_NAMES[language]}. Run ${LANGUAGE_NAMES[language]} in it, or use another name.`,
  tooManyStored: (most: number): string =>
    `${count(most, "named sandbox")} are stored already, which is the most (--${LIMITS.stored.flag}). Close one with close_sandbox, or use one of them.`,
  notStored: (name: string, reason: string): string =>
    `The sandbox ${quote(name)} could not be stored (${reason}): it goes on in memory, and would be lost with this server.`,
  badStateFile: (name: string, file: string, reason: string): string =>
    `The sandbox ${quote(name)} is stored but can't be used: ${reason}. Its file is left as it is (${file}); use another name, or remove the file by hand.`,
  stateFolderBusy: (folder: string, pid: number): string =>
    `The state folder ${folder} is in use by another Belljar (process ${String(pid)}). End that one, or give this one a --state-dir of its own.`,
  stateFolderBad: (folder: string, reason: string): string => `The state folder ${folder} can't be used: ${reason}.`,
  engineRestarted: (): string => "The process that held the sandboxes ended. They are as their last answered run left them; ask again.",
  closedMeanwhile: (name: string): string => `The sandbox ${quote(name)} was closed before this run began.`,
  picturesLeft: (left: number, most: number, bytes: number): string =>
    `${count(left, "picture")} left out: at most ${number(most)} are kept of one run, and ${number(bytes)} bytes of them.`,
  filesLeft: (listed: number, left: number): string =>
    `${count(left, "more file")} changed than the ${number(listed)} that are listed and kept. Pack them into one, such as a zip file.`,
  queueFull: (waiting: number): string =>
    `${count(waiting, "call")} already wait for a sandbox, which is the most this server keeps (--${LIMITS.queue.flag}). Try again when some have ended.`,
  notReady: (language: Language, reason: string): string =>
    `${LANGUAGE_NAMES[language]} could not be started: ${reason}.`,
  /** A note beside a stop, when the call had asked for less than the server gives. */
  mayRaise: (argument: string, maximum: number): string =>
    `${argument} can be raised to at most ${number(maximum)} on this server.`,
} as const;

/** Refusals of a call before it runs. */
export const refusals = {
  unknownTool: (name: string, known: readonly string[]): string =>
    `There is no tool named ${quote(name)}. Known tools: ${known.join(", ")}.`,
  unknownArguments: (names: readonly string[], known: readonly string[]): string =>
    `Unknown ${names.length === 1 ? "argument" : "arguments"} ${names.map(quote).join(", ")}. Known arguments: ${known.join(", ") || "none"}.`,
  missingArgument: (name: string, words: string): string => `${name} is missing: ${words}.`,
  wrongType: (name: string, wanted: string, value: unknown): string =>
    `${name} must be ${wanted}, and was ${describe(value)}.`,
  tooSmall: (name: string, minimum: number, unit: string, value: number): string =>
    `${name} must be at least ${number(minimum)} ${unit}, and was ${number(value)}.`,
  tooBig: (name: string, maximum: number, unit: string, value: number): string =>
    `${name} must be at most ${number(maximum)} ${unit} on this server, and was ${number(value)}.`,
  emptyCode: (language: Language): string => `code is empty. Pass the ${LANGUAGE_NAMES[language]} to run.`,
  longCode: (bytes: number, maximum: number): string =>
    `code is ${number(bytes)} bytes, and at most ${number(maximum)} are taken. Build large data in the code, or split the work.`,
  loneSurrogate: (unit: number, line: number, column: number): string =>
    `code holds a lone surrogate (U+${unit.toString(16).toUpperCase().padStart(4, "0")}) at line ${number(line)}, column ${number(column)}, so it is not valid Unicode. Send the whole character, or write it as an escape.`,
  badName: (argument: string, name: string): string =>
    `${argument} must be 1 to 64 letters, digits, dots, dashes or underscores and begin with a letter or digit, and was ${quote(name)}.`,
  badPath: (index: number, path: string): string =>
    `files[${number(index)}].path must stay beneath /work, without empty names, "." or "..", and was ${quote(path)}.`,
  badContent: (index: number, path: string): string =>
    `files[${number(index)}] (${quote(path)}) must have its content either as text or as valid base64.`,
  unknownResource: (uri: string): string =>
    `Nothing is kept at ${quote(uri)}. It may have been dropped by now; run the code again to make the file anew.`,
  unknownExecution: (id: string): string =>
    `No execution with the id ${quote(id)} waits or runs. It may have ended; list_executions shows those that go on.`,
  badFolder: (folder: string, reason: string): string => `The folder ${folder} can't be mounted: ${reason}.`,
  badAudit: (file: string, reason: string): string => `The audit can't be written to ${file}: ${reason}.`,
  badPackages: (folder: string, reason: string): string => `The packages in ${folder} can't be read: ${reason}.`,
  nativeWheel: (wheel: string): string => `${wheel} holds native code for one kind of machine, and this Python runs in WebAssembly`,
  nativeFile: (file: string): string => `it holds native code (${file}), which can't run in WebAssembly`,
  fault: (reason: string): string =>
    `Belljar itself failed: ${reason}. This is a fault worth reporting, with the code that was run.`,
  notJson: (reason: string): string => `Not a JSON-RPC message: ${reason}.`,
  hugeMessage: (bytes: number, maximum: number): string =>
    `The message is ${number(bytes)} bytes, and at most ${number(maximum)} are read. Send less in one call.`,
} as const;

/** What the text of an answer says besides the code's own words. */
export const remarks = {
  cut: (characters: number): string => `… ${count(characters, "character")} cut here …`,
  keptLess: (streams: readonly string[]): string =>
    `Only the beginning and end of ${streams.join(" and ")} were kept (--${LIMITS.output.flag}).`,
  nothing: (pictures: number): string => (pictures === 0 ? "no result, no output" : count(pictures, "picture")),
  file: (path: string, bytes: number, uri: string | undefined): string =>
    uri === undefined ? `${path} (${count(bytes, "byte")}): too large to keep` : `${uri} (${count(bytes, "byte")})`,
  noSandboxes: (): string => "No named sandbox is kept.",
  forked: (from: string, to: string): string => `${to} is a copy of ${from} as it stands; both go on apart.`,
  closed: (name: string): string => `The sandbox ${name} is closed.`,
  filesKept: (minutes: number): string => `Files can be read for ${count(minutes, "minute")}.`,
  wholeText: (parts: readonly string[]): string => `More of it can be read at ${parts.join(" and ")}.`,
  picturesLeft: (left: number, reason: string): string => `${count(left, "picture")} left out: ${reason}.`,
  resultsLeft: (files: number, pictures: number): string =>
    `${[...(files > 0 ? [count(files, "file")] : []), ...(pictures > 0 ? [count(pictures, "picture")] : [])].join(" and ")} left: --out=DIR writes them to a folder.`,
  progress: (id: string, elapsedMs: number, fuel: number, line: string): string =>
    `Execution ${id}: ${number(Math.round(elapsedMs / 100) / 10)} s, ${number(fuel)} instructions${line === "" ? "" : `; ${line}`}`,
  stopped: (id: string): string => `Execution ${id} is being stopped.`,
  noExecutions: (): string => "No execution waits or runs.",
} as const;

/** One line of the list of executions. */
export function executionLine(execution: {
  readonly id: string;
  readonly language: Language;
  readonly sandbox?: string | undefined;
  readonly state: string;
  readonly elapsed_ms: number;
}): string {
  const { id, language, sandbox, state, elapsed_ms } = execution;
  const where = sandbox === undefined ? "" : ` in the sandbox ${sandbox}`;
  return `${id}: ${LANGUAGE_NAMES[language]}${where}, ${state} for ${number(Math.round(elapsed_ms / 100) / 10)} s`;
}

/** What the command says of its own use. */
export const usage = {
  unknownCommand: (name: string, known: readonly string[]): string =>
    `There is no command ${quote(name)}. Known commands: ${known.join(", ")}.`,
  unknownFlag: (flag: string, known: readonly string[]): string =>
    `Unknown flag ${flag}. Known flags: ${known.map((name) => `--${name}`).join(", ")}.`,
  needsValue: (flag: string): string => `${flag} needs a value: ${flag}=….`,
  takesNoValue: (flag: string): string => `${flag} takes no value.`,
  notANumber: (source: string, text: string, spec: Pick<LimitSpec, "unit">): string =>
    `${source} must be a whole number of ${spec.unit}, and was ${quote(text)}.`,
  outOfRange: (source: string, value: number, spec: Pick<LimitSpec, "unit" | "minimum" | "maximum">): string =>
    `${source} must be between ${number(spec.minimum)} and ${number(spec.maximum)} ${spec.unit}, and was ${number(value)}.`,
  notOneOf: (source: string, text: string, choices: readonly string[]): string =>
    `${source} must be one of ${choices.join(", ")}, and was ${quote(text)}.`,
  unexpected: (text: string): string => `Unexpected ${quote(text)}.`,
  twoSources: (): string => "Give one thing to run: a FILE, -c CODE, or - for standard input.",
  needsStateDir: (): string => "--sandbox needs --state-dir=DIR, the folder that keeps it until the next command.",
  noSource: (): string => "Nothing to run: give a FILE, -c CODE, or - for standard input.",
  noLanguage: (file: string): string =>
    `The language of ${file} is not known by its ending. Add --lang=python or --lang=javascript.`,
  unreadable: (file: string, reason: string): string => `${file} could not be read: ${reason}.`,
  notUtf8: (file: string): string => `${file} is not UTF-8 text.`,
  badConfig: (file: string, reason: string): string => `The config file ${file} can't be used: ${reason}.`,
  unknownKeys: (file: string, keys: readonly string[], known: readonly string[]): string =>
    `${file} has unknown ${keys.length === 1 ? "key" : "keys"} ${keys.map(quote).join(", ")}. Known keys: ${known.join(", ")}.`,
  wrongConfigValue: (file: string, key: string, wanted: string, value: unknown): string =>
    `${usage.inConfig(key, file)} must be ${wanted}, and was ${describe(value)}.`,
  inConfig: (key: string, file: string): string => `${quote(key)} in ${file}`,
  badGuestPath: (source: string, text: string, place: string): string =>
    `${source} can't mount ${quote(text)} at ${quote(place)}. Name another place after a colon: an absolute path that is not beneath /work, /tmp, /dev or /usr, such as DIR:/mnt/data.`,
  sameGuestPath: (place: string, one: string, other: string): string =>
    `Both ${one} and ${other} would be at ${place}. Name another place for one of them after a colon, such as DIR:/mnt/data.`,
  nestedGuestPath: (inner: string, outer: string): string =>
    `${inner} would be inside ${outer}, where another folder is mounted. Name another place after a colon, such as DIR:/mnt/data.`,
  badHost: (source: string, text: string): string =>
    `${source} must be HOST, HOST:PORT or *.HOST, such as api.example.com, localhost:8080 or [::1]:80, and was ${quote(text)}.`,
  badSecret: (source: string, text: string): string =>
    `${source} must be NAME=HOST, such as API_KEY=api.example.com, and was ${quote(text)}.`,
  badVariable: (source: string, text: string): string =>
    `${source} must be the name of a variable, or its beginning and *, and was ${quote(text)}.`,
  badSecretValue: (name: string, least: number): string =>
    `The variable ${name} is named as a secret, and its value must be at least ${number(least)} characters of ASCII without line breaks: it goes into headers, and is looked for in answers.`,
  noSecret: (name: string): string => `The variable ${name} is named as a secret and is not set. Set it for this server, or leave --secret out.`,
  more: (): string => "belljar --help shows all commands and flags.",
  waiting: (): string => "serving MCP on standard input and output, for a client to speak; belljar --help tells of the other commands",
} as const;

/** What `belljar install` says. */
export const installed = {
  noClient: (known: readonly string[]): string => `Name the client: ${known.join(", ")}.`,
  relativePath: (flag: string, path: string): string =>
    `--${flag} needs a whole path here, since the client starts Belljar in a folder of its own, and was ${quote(path)}.`,
  inFile: (client: string, file: string): string => `${client} has Belljar in ${file} now. Start it anew.`,
  byCommand: (client: string, program: string): string => `${client} has Belljar now, by its own command ${program}.`,
  notByCommand: (client: string, words: readonly string[], reason: string): string =>
    `${client} could not be told: ${reason.trim()}. The command is: ${words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word))).join(" ")}`,
  unreadable: (file: string, reason: string): string => `${file} could not be read: ${reason}.`,
  unwritable: (file: string, reason: string): string => `${file} could not be written, and is as it was: ${reason}.`,
  noPlainJson: (file: string): string =>
    `${file} is no JSON object with an mcpServers object, so it is left as it is. belljar install CLIENT --print prints what to put into it.`,
} as const;

/** Where the files and pictures of a run went. */
export const results = {
  written: (place: string, bytes: number): string => `${place}: ${count(bytes, "byte")}`,
  noFolder: (folder: string, reason: string): string => `Nothing written to ${folder}: ${reason}.`,
  badName: (path: string): string => `${quote(path)} not written: no file of a folder here can have that name.`,
  notAFolder: (path: string, place: string): string => `${quote(path)} not written: ${place} is there and no folder.`,
  notWritten: (path: string, reason: string): string => `${quote(path)} not written: ${reason}.`,
} as const;

/** What the adding of packages says. */
export const added = {
  usage: (): string => "Say which packages: belljar packages add NAME … --packages=DIR, with npm:NAME for JavaScript.",
  noClient: (program: string): string => `There is no ${program} on this machine to fetch packages with. Put wheels or folders into the folder by hand, or install ${program}.`,
  failed: (program: string, said: string): string => `${program} could not do it. It said:\n${said}`,
  native: (name: string, reason: string): string => `${name} is not added: ${reason}.`,
  nativeWheel: (wheel: string): string => refusals.nativeWheel(wheel),
  badLock: (file: string, reason: string): string => `The lock ${file} can't be read: ${reason}. Remove it to begin anew.`,
  package: (name: string, version: string): string => `added ${name} ${version}`,
  use: (folder: string): string => `Start Belljar with --packages=${folder} to let code import them.`,
} as const;

/** What a session line by line says. */
export const session = {
  greeting: (language: Language): string => `Belljar, ${LANGUAGE_NAMES[language]}. :help tells the commands, Ctrl-D ends.`,
  help: (): string =>
    [
      ":files       files under /work",
      ":fork NAME   copy the sandbox as it stands",
      ":use NAME    go on in another sandbox, made on first use",
      ":list        the sandboxes",
      ":limits      the limits of a run",
      ":quit        end (also Ctrl-D)",
      "Ctrl-C stops a run, and the sandbox is as before it; with nothing running it drops what was typed.",
      "A line that is not complete waits for more; an empty line ends a block.",
    ].join("\n"),
  unknown: (command: string): string => `There is no command ${quote(command)}. :help tells those there are.`,
  needsName: (command: string): string => `${command} needs the name of a sandbox.`,
  noFiles: (): string => "No file is under /work.",
  using: (name: string): string => `The sandbox is now ${name}.`,
} as const;

/** A named sandbox in one line. */
export function sandboxLine(info: SandboxInfo): string {
  const { name, language, turns, busy, memoryBytes, storedBytes, diskBytes, idleMs, parent } = info;
  const state = busy ? "busy" : `idle for ${number(Math.round(idleMs / 1_000))} s`;
  const origin = parent === undefined ? "" : `, forked from ${parent}`;
  const disk = `${mebibytes(diskBytes)} MiB`;
  const own = `of which ${mebibytes(storedBytes)} MiB are its own${diskBytes === 0 ? "" : `, ${disk} on disk`}`;
  const rest = storedBytes === 0 && diskBytes > 0 ? `kept on disk alone as ${disk}` : own;
  return `${name}: ${LANGUAGE_NAMES[language]}, ${count(turns, "run")}, ${state}, memory of ${mebibytes(memoryBytes)} MiB ${rest}${origin}`;
}

function mebibytes(bytes: number): string {
  return number(Math.round((bytes / MIB) * 10) / 10);
}

/** Text in quotes on one line, at most 60 characters of it, always well-formed. */
export function quote(text: string): string {
  const short = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return JSON.stringify(short.toWellFormed());
}

function describe(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "string") return `the string ${quote(value)}`;
  if (typeof value === "number") return `the number ${String(value)}`;
  if (typeof value === "boolean") return String(value);
  return Array.isArray(value) ? "an array" : "an object";
}
