import door from "belljar:guest/door";
import { hideError, showError, takeRejected } from "./cells.ts";
import { HOOK } from "./completion.ts";
import { failureOf, interruptedFailure, type Failure } from "./failure.ts";
import { proxyTarget } from "./inspect.ts";
import { repairIntrinsics } from "./intrinsics.ts";
import { beginProcess } from "./node/process.ts";
import { load, modules } from "./node/require.ts";
import { compile, SourceError } from "./source.ts";
import { nextLine, register } from "./stack.ts";
import { clearTimers } from "./timers.ts";
import { forgetRequests, takeDue } from "./web/net.ts";
import { present } from "./report.ts";
import { startClocks } from "./web/globals.ts";

/** How the code of a turn stands. */
type State =
  | { readonly kind: "running" }
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly failure: Failure };

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
const outermost: unknown = globalEval(
  `(function (${HOOK}, require, module, exports, process, __filename, __dirname, arguments) { return (${HOOK}_source) => eval(${HOOK}_source); })`,
);
let scope: Scope = (source) => {
  if (typeof outermost !== "function") throw new Error("no scope");
  const { require, module, process } = modules;
  scope = outermost.call(globalThis, hook, require, module, module.exports, process, "/work/code.js", "/work");
  return scope(source);
};

let state: State = { kind: "done" };
/** The error by which the turn was interrupted. */
let interruption: { readonly error: Error; readonly stack: string } | undefined;

/** Compiles a turn's code and starts it in a job of its own. */
export function begin(code: string): void {
  startClocks();
  beginProcess();
  state = { kind: "running" };
  hook.value = undefined;
  interruption = undefined;
  takeRejected();
  void Promise.resolve().then(() => run(code));
}

async function run(code: string): Promise<void> {
  door.enter();
  try {
    const compiled = compile(code, nextLine());
    register(code, compiled);
    const main = scope(compiled.text);
    if (typeof main !== "function") throw new Error("the code is no function");
    await main.call(globalThis);
    if (isAwaited(hook.value)) hook.value = await hook.value;
    state = { kind: "done" };
  } catch (error) {
    fail(error, error instanceof SourceError ? code : undefined);
  }
}

/** True for promises and their like; a proxy is none, as any look at it may run a trap. */
function isAwaited(value: unknown): boolean {
  try {
    return typeof value === "object" && value !== null && proxyTarget(value) === undefined && typeof Reflect.get(value, "then") === "function";
  } catch {
    return false;
  }
}

function fail(error: unknown, code?: string): void {
  if (state.kind === "failed") return;
  state = { kind: "failed", failure: describe(error, code) };
  clearTimers();
  forgetRequests();
}

/** `undefined` stands for a stop that came while nothing ran. */
function describe(error: unknown, code?: string): Failure {
  const isStop = error === undefined || (interruption !== undefined && error === interruption.error);
  return isStop ? interruptedFailure(interruption?.stack) : failureOf(error, code);
}

/** Runs the next timer; the report as JSON once all has run. */
export async function step(): Promise<string | null> {
  door.enter();
  for (const promise of takeRejected()) {
    await promise.catch((reason: unknown) => fail(reason));
  }
  if (state.kind !== "failed") {
    const due = takeDue();
    if (due === "stopped") fail(undefined);
    else if (due !== undefined) {
      void runTimer(due);
      return null;
    } else if (state.kind === "running") {
      fail(new Error("The code awaits a promise that can never settle: no timer, job or request is left that could settle it."));
    }
  }
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

async function runTimer(callback: () => unknown): Promise<void> {
  try {
    await callback();
  } catch (error) {
    fail(error);
  }
}

/**
 * The engine is about to throw where the code is: the error is made one that code can catch, and keeps
 * the stack that it was thrown with.
 */
export function interrupted(): void {
  Error.prepareStackTrace = (error, sites) => {
    Reflect.set(Error, "prepareStackTrace", undefined);
    interruption = { error, stack: sites.map((site) => frame(site)).join("\n") };
    showError(error);
    door.catchable(present(interruptedFailure(interruption.stack), undefined));
    hideError();
    return interruption.stack;
  };
}

interface Site {
  getFunctionName(): string | null;
  getFileName(): string | null | undefined;
  getLineNumber(): number | null;
  getColumnNumber(): number | null;
}

function frame(site: Site): string {
  return `    at ${site.getFunctionName() ?? ""} (${site.getFileName() ?? "native"}:${site.getLineNumber()}:${site.getColumnNumber()})`;
}
