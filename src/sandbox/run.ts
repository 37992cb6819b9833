import type { MessagePort } from "node:worker_threads";
import { isBelljarError, messageOf } from "../base/errors.ts";
import type { GuestInstance } from "../guests/guest.ts";
import { createFoldedOutput } from "../host/redraws.ts";
import type { WorkFile } from "../host/files/workspace.ts";
import { adviceOn } from "../policy/grant-words.ts";
import { type Grants, type GrantUse, NO_GRANTS } from "../policy/grants.ts";
import type { Language, Limits } from "../policy/limits.ts";
import type { Failure, Picture, Report, Status } from "../policy/outcome.ts";
import { sentences } from "../policy/sentences.ts";
import { mediaType } from "./media-type.ts";
import { openNetLine } from "./net-line.ts";
import type { Finished } from "./sandboxes.ts";
import { raisedBy, startStop, type Stop } from "./stop.ts";

/** A progress report at most this often. */
const PROGRESS_MS = 500;
/** So many changed files are listed and kept. */
const MAX_FILES = 100;
/** Pictures of one turn, and bytes of them all. */
const MAX_PICTURES = 10;
const MAX_PICTURE_BYTES = 16 * 1_024 * 1_024;

/** What each language calls a stack that ran out; here it was V8's, before the guest's own check. */
const STACK_ERRORS = { python: "RecursionError", javascript: "RangeError" } as const satisfies Record<Language, string>;

export interface RunOptions {
  readonly instance: GuestInstance;
  readonly language: Language;
  readonly code: string;
  readonly limits: Limits;
  readonly files: readonly WorkFile[];
  /** True when random generators are to start anew. */
  readonly reseed: boolean;
  /** True for a named sandbox. */
  readonly kept: boolean;
  /** True when what earlier turns have left pending is to be dropped. */
  readonly dropPending?: boolean;
  readonly flag: Int32Array;
  /** Where the server's network can be reached. */
  readonly net?: MessagePort | undefined;
  /** True when the guest can be interrupted softly. */
  readonly soft: boolean;
  /** What the code may reach, for what is said when it reaches for more. */
  readonly grants?: Grants;
  readonly onUses?: (uses: readonly GrantUse[]) => void;
  /** Told when the guest has ended, before its outcome is made. */
  readonly onEnd: () => void;
  readonly onProgress?: (progress: { elapsedMs: number; fuel: number; line: string }) => void;
}

/** How a guest's turn ended, before the host has its say. */
type Ending = { readonly report: Report } | { readonly fault: unknown };

/** Runs one turn in an instance at rest and says what it ended in. Never rejects, whatever the guest does. */
export async function runTurn(options: RunOptions): Promise<Finished> {
  const { instance, limits } = options;
  const started = performance.now();
  const stop = startStop({ wallTimeMs: limits.wallTimeMs, flag: options.flag, soft: options.soft, now: () => performance.now() });
  const stdout = createFoldedOutput(limits.outputBytes);
  const stderr = createFoldedOutput(limits.outputBytes);
  const pictures: Picture[] = [];
  let pictureBytes = 0;
  let picturesLeft = 0;
  const tick = progressTicker(options, started, () => stdout.newestLine() || stderr.newestLine());

  const ending = await play(options, stop, {
    tick,
    write: (stream, bytes) => (stream === "stdout" ? stdout : stderr).write(bytes),
    picture: (picture) => {
      pictureBytes += picture.bytes.length;
      if (pictures.length < MAX_PICTURES && pictureBytes <= MAX_PICTURE_BYTES) pictures.push(picture);
      else picturesLeft += 1;
    },
  });

  options.onEnd();
  const verdict = judge(ending, stop, options);
  const changes = instance.changes(MAX_FILES);
  const files = changes.files.map(({ path, bytes }) => ({ path, bytes, mimeType: mediaType(path) }));
  const notes = [
    ...(verdict.notes ?? []),
    ...(verdict.error === undefined ? [] : adviceOn(verdict.error, options.grants ?? NO_GRANTS)),
    ...(changes.left > 0 ? [sentences.filesLeft(MAX_FILES, changes.left)] : []),
    ...(picturesLeft > 0 ? [sentences.picturesLeft(picturesLeft, MAX_PICTURES, MAX_PICTURE_BYTES)] : []),
  ];
  const out = stdout.text();
  const err = stderr.text();
  const truncated = [...(verdict.truncated ?? []), ...(out.truncated ? ["stdout" as const] : []), ...(err.truncated ? ["stderr" as const] : [])];
  return {
    outcome: {
      ...verdict,
      stdout: out.text,
      stderr: err.text,
      ...(notes.length > 0 ? { notes } : {}),
      ...(files.length > 0 ? { files: files.map(({ path, mimeType, bytes }) => ({ path, mime_type: mimeType, bytes: bytes.length })) } : {}),
      ...(truncated.length > 0 ? { truncated } : {}),
      ...(pictures.length > 0 ? { pictures: pictures.length } : {}),
      usage: {
        wall_ms: Math.round((performance.now() - started) * 10) / 10,
        fuel: instance.fuelUsed(),
        memory_bytes: instance.memoryBytes(),
      },
    },
    pictures,
    files,
  };
}

interface Sinks {
  readonly tick: () => void;
  readonly write: (stream: "stdout" | "stderr", bytes: Uint8Array) => void;
  readonly picture: (picture: Picture) => void;
}

async function play(options: RunOptions, stop: Stop, sinks: Sinks): Promise<Ending> {
  try {
    const report = await options.instance.turn({
      code: options.code,
      limits: options.limits,
      files: options.files,
      reseed: options.reseed,
      kept: options.kept,
      dropPending: options.dropPending ?? false,
      write: sinks.write,
      picture: sinks.picture,
      used: options.onUses,
      look: () => {
        sinks.tick();
        return stop.look();
      },
      outOfFuel: stop.outOfFuel,
      wait: (ms) => waitInSteps(ms, stop, sinks.tick),
      net: options.net && openNetLine(options.net, options.flag, stop, sinks.tick),
    });
    return { report };
  } catch (fault) {
    return { fault };
  }
}

/** Long waits are cut up, so that a client still hears of a turn that sleeps. */
function waitInSteps(ms: number, stop: Stop, tick: () => void): void {
  const until = performance.now() + ms;
  for (;;) {
    const left = until - performance.now();
    if (left <= 0) return;
    const whole = stop.wait(Math.min(left, PROGRESS_MS));
    tick();
    if (!whole) return;
  }
}

function progressTicker(options: RunOptions, started: number, newestLine: () => string): () => void {
  const { onProgress, instance } = options;
  if (onProgress === undefined) return () => {};
  let last = started;
  return () => {
    const now = performance.now();
    if (now - last < PROGRESS_MS) return;
    last = now;
    onProgress({ elapsedMs: Math.round(now - started), fuel: instance.fuelUsed(), line: newestLine() });
  };
}

interface Verdict extends Omit<Report, "status"> {
  readonly status: Status;
}

/** The first cause of a stop wins over whatever the guest says of itself. */
function judge(ending: Ending, stop: Stop, options: RunOptions): Verdict {
  const { limits, language } = options;
  const cause = stop.cause();
  const told = "report" in ending ? ending.report.error : undefined;
  switch (cause) {
    case "timeout":
      return { status: "timeout", error: stopped(told, "TimeoutError", sentences.timeout(limits.wallTimeMs)) };
    case "out_of_fuel":
      return { status: "out_of_fuel", error: stopped(told, "OutOfFuel", sentences.outOfFuel(limits.fuel)) };
    case "killed":
      return { status: "killed", error: stopped(told, "Killed", sentences.killed(raisedBy(options.flag) ?? "shutdown")) };
    case undefined:
      break;
  }
  if ("fault" in ending) return faulted(ending.fault, options);
  const { report } = ending;
  if (report.error?.type !== "MemoryError") return report;
  return { ...report, status: "out_of_memory", error: { ...report.error, message: sentences.outOfMemory(limits.memoryBytes, language) } };
}

/** A failure in the host's words, at the place where the guest says it was. */
function stopped(told: Failure | undefined, type: string, message: string): Failure {
  const { line, column, traceback } = told ?? {};
  return {
    type,
    message,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    ...(traceback === undefined ? {} : { traceback }),
  };
}

function faulted(fault: unknown, { instance, limits, language }: RunOptions): Verdict {
  if (isBelljarError(fault, "GUEST_EXIT") && typeof fault.cause === "number") {
    const exitCode = fault.cause;
    if (exitCode === 0) return { status: "ok", notes: [sentences.exitZero()] };
    return { status: "error", error: { type: "SystemExit", message: sentences.exit(exitCode), exit_code: exitCode } };
  }
  if (isBelljarError(fault, "BAD_ARGUMENT")) {
    return { status: "error", error: { type: "FileError", message: fault.message } };
  }
  if (fault instanceof RangeError) {
    return { status: "error", error: { type: STACK_ERRORS[language], message: sentences.stackOverflow() } };
  }
  const reason = messageOf(fault);
  if (!isBelljarError(fault, "GUEST_FAULT")) return { status: "crashed", error: { type: "Crashed", message: sentences.crashed(reason) } };
  // A runtime that gets no memory breaks in one way or another.
  if (instance.nearlyFull()) {
    return { status: "out_of_memory", error: { type: "MemoryError", message: sentences.outOfMemory(limits.memoryBytes, language) } };
  }
  return { status: "crashed", error: { type: "Crashed", message: sentences.broke(reason) } };
}
