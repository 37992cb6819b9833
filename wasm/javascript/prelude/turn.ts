import door from "belljar:guest/door";
import { hasRejected, hideError, showError, showOldTimer, takeRejected } from "./cells.ts";
import { HOOK } from "../../../src/guests/javascript-source/completion.ts";
import { failureOf, interruptedFailure, type Failure } from "./failure.ts";
import { proxyTarget } from "./inspect.ts";
import { apart, repairIntrinsics, watch } from "./intrinsics.ts";
import { beginProcess } from "./node/process.ts";
import { note } from "./notes.ts";
import { load, modules } from "./node/require.ts";
import { forgetThrow, thrown } from "./places.ts";
import { SourceError } from "../../../src/guests/javascript-source/source-error.ts";
import { compile } from "./source.ts";
import { nextLine, rawStack, register } from "./stack.ts";
import { beginTimers, clearTimers, type DueTimer, forgetTimers, pendingTimers } from "./timers.ts";
import { forgetRequests, isWaiting, takeDue } from "./web/net.ts";
import { present } from "./report.ts";
import { startClocks } from "./web/globals.ts";

/** How the code of a turn stands. */
type State =
  | { readonly kind: "running" }
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly failure: Failure };

const NONE: readonly Promise<unknown>[] = [];

/** Evaluates in the innermost scope: each turn's scope lies inside the one before, so that names last and may be declared again. */
type Scope = (source: string) => unknown;

/** What transformed code reaches through its one extra name. */
const hook = {
  value: undefined as unknown,
  module: {} as Record<string, unknown>,
  meta: Object.freeze({ url: "file:///work/code.js", filename: "/work/code.js", dirname: "/work" }),
  keep(next: Scope): void {
    scope = next;
  },
  thrown,
  async load(specifier: string): Promise<void> {
    hook.module = load(specifier);
  },
  pick(name: string): unknown {
    if (name in hook.module) return hook.module[name];
    throw new SyntaxError(`The requested module does not provide an export named '${name}'`);
  },
  async import(specifier: unknown): Promise<unknown> {
    return load(String(specifier));
  },
};

const globalEval = eval;
/** The engine's own, whatever the code makes of the globals. */
const NativeError = Error;
const { apply, get, set } = Reflect;
const outermost: unknown = globalEval(
  `(function (${HOOK}, require, module, exports, process, __filename, __dirname, arguments) { return (${HOOK}_source) => eval(${HOOK}_source); })`,
);
let scope: Scope = (source) => {
  if (typeof outermost !== "function") throw new Error("no scope");
  const { require, module, process } = modules;
  scope = outermost.call(globalThis, hook, require, module, module.exports, process, "/work/code.js", "/work");
  return scope(source);
};

/** In a kept sandbox, timers that are due so soon after the code is done still belong to its turn. */
const SOON_MS = 50;

let state: State = { kind: "done" };
/** Counts the turns: code of an earlier one may still go on, but says nothing of this one. */
let current = 0;
let kept = false;
/** Code that has not begun: what has come due between the turns goes first. */
let waiting: Code | undefined;
/** Until when timers are waited for: before the code begins, and once it is done. */
let waitUntil: number | undefined;
/** The error by which the turn was interrupted. */
let interruption: { readonly error: Error; readonly stack: string } | undefined;

/** A turn's code, and the host's plan for it as JSON, or the empty string. */
interface Code {
  readonly text: string;
  readonly plan: string;
}

/** Compiles a turn's code and starts it in a job of its own. */
export function begin(code: Code, isKept: boolean, dropTimers: boolean): void {
  startClocks();
  beginProcess();
  current += 1;
  beginTimers(current);
  kept = isKept;
  waiting = undefined;
  waitUntil = undefined;
  state = { kind: "running" };
  hook.value = undefined;
  interruption = undefined;
  takeRejected();
  forgetThrow();
  showOldTimer(false);
  if (dropTimers && forgetTimers()) note("The timers that earlier runs had left pending are dropped, since one of them was running when the run before was stopped.");
  if (kept && pendingTimers().dueIn === 0) {
    waiting = code;
    waitUntil = door.monotonic();
  } else void Promise.resolve().then(() => run(code, current));
}

async function run({ text, plan }: Code, turn: number): Promise<void> {
  door.enter();
  try {
    const main = apart(() => {
      watch(text);
      const compiled = compile(text, nextLine(), plan);
      register(text, compiled);
      return scope(compiled.text);
    });
    if (typeof main !== "function") throw new Error("the code is no function");
    await apply(main, globalThis, []);
    const value: unknown = isAwaited(hook.value) ? await hook.value : hook.value;
    if (turn !== current) return;
    hook.value = value;
    if (state.kind === "running") state = { kind: "done" };
  } catch (error) {
    if (turn !== current || state.kind === "failed") return;
    apart(() => {
      state = { kind: "failed", failure: describe(error, error instanceof SourceError ? text : undefined) };
      forgetRequests();
    });
  }
}

/** True for promises and their like; a proxy is none, as any look at it may run a trap. */
function isAwaited(value: unknown): boolean {
  try {
    return typeof value === "object" && value !== null && proxyTarget(value) === undefined && typeof get(value, "then") === "function";
  } catch {
    return false;
  }
}

/** Ends the turn from outside of its code; code that was not done is not gone on with, so its timers are dropped. */
function fail(error: unknown): void {
  if (state.kind === "failed") return;
  apart(() => {
    if (state.kind === "running") clearTimers();
    state = { kind: "failed", failure: describe(error) };
    forgetRequests();
  });
}

/** `undefined` stands for a stop that came while nothing ran. */
function describe(error: unknown, code?: string): Failure {
  return isStop(error) ? interruptedFailure(interruption?.stack) : failureOf(error, code);
}

function isStop(error: unknown): boolean {
  return error === undefined || (interruption !== undefined && error === interruption.error);
}

/** Runs the next timer; the report as JSON once all has run. */
export async function step(): Promise<string | null> {
  door.enter();
  const rejected = hasRejected() ? apart(takeRejected) : NONE;
  // By index: how arrays are iterated is what the code makes of it here.
  for (let index = 0; index < rejected.length; index += 1) {
    try {
      await rejected[index];
    } catch (reason) {
      if (waiting === undefined) fail(reason);
      else tell(reason);
    }
  }
  if (state.kind !== "failed") {
    if (kept && state.kind === "done") waitUntil ??= door.monotonic() + SOON_MS;
    const due = isWaiting() ? apart(() => takeDue(waitUntil ?? Infinity)) : undefined;
    if (due === "stopped") fail(undefined);
    else if (due !== undefined) {
      void runTimer(due);
      return null;
    } else if (waiting !== undefined) {
      void run(waiting, current);
      waiting = undefined;
      waitUntil = undefined;
      return null;
    } else if (state.kind === "running") {
      fail(new Error("The code awaits a promise that can never settle: no timer, job or request is left that could settle it."));
    }
  }
  return apart(finish);
}

/** The report as JSON. */
function finish(): string {
  noteTimers();
  const failure = state.kind === "failed" ? state.failure : undefined;
  try {
    return present(failure, hook.value);
  } catch (error) {
    if (interruption !== undefined) throw error;
    repairIntrinsics();
    return present(failure, hook.value);
  }
}

/** The report when the making of a report failed: interrupted, or out of memory. */
export function presentFailure(error: unknown): string {
  repairIntrinsics();
  return present(describe(error), undefined);
}

/** What to say of timers that wait for the next turn. */
function noteTimers(): void {
  const { count, dueIn } = pendingTimers();
  if (waiting !== undefined) note("The code of this run had not begun: a timer that an earlier run set was due first, and took all the time. It does not run again.");
  else if (kept && count > 0) {
    note(`${count === 1 ? "1 timer is" : `${count} timers are`} still pending, the first due in ${dueIn} ms: the sandbox's next run goes on with what is due by then. Await a promise to wait for one in the same run.`);
  }
}

/** A timer whose callback fails does not run again, as it would not in a program that ended by it. */
async function runTimer(timer: DueTimer): Promise<void> {
  showOldTimer(timer.isOld);
  try {
    const running = timer.run();
    if (waiting === undefined) showOldTimer(false);
    await running;
    showOldTimer(false);
  } catch (error) {
    timer.drop();
    if (!isStop(error)) showOldTimer(false);
    if (timer.isOld && !isStop(error)) tell(error);
    else fail(error);
  }
}

/** An error of what an earlier turn began is not this turn's failure. */
function tell(error: unknown): void {
  const { type, message, traceback } = apart(() => describe(error));
  door.write("stderr", `Uncaught, in what an earlier run began: ${apart(() => (traceback ?? `${type}: ${message}`).trimEnd().toWellFormed())}\n`);
}

/**
 * The engine is about to throw where the code is: the error is made one that code can catch, and keeps
 * the stack that it was thrown with.
 */
export function interrupted(): void {
  NativeError.prepareStackTrace = (error, sites) => {
    set(NativeError, "prepareStackTrace", undefined);
    let stack = "";
    for (let index = 0; index < sites.length; index += 1) stack += frame(sites[index]);
    interruption = { error, stack };
    showError(error);
    door.catchable(presentPlace(stack));
    hideError();
    return stack;
  };
}

/** The code is ended where it is, which may be amid the engine's own work. */
export function tellPlace(): void {
  hideError();
  set(NativeError, "prepareStackTrace", undefined);
  door.catchable(presentPlace(rawStack(new NativeError())));
}

function presentPlace(stack: string): string {
  try {
    return present(interruptedFailure(stack), undefined);
  } catch {
    repairIntrinsics();
    return present(interruptedFailure(stack), undefined);
  }
}

interface Site {
  getFunctionName(): string | null;
  getFileName(): string | null | undefined;
  getLineNumber(): number | null;
  getColumnNumber(): number | null;
}

function frame(site: Site | undefined): string {
  if (site === undefined) return "";
  return `    at ${site.getFunctionName() ?? ""} (${site.getFileName() ?? "native"}:${site.getLineNumber()}:${site.getColumnNumber()})\n`;
}
