import door from "belljar:guest/door";
import { HOOK } from "./completion.ts";
import { failureOf, interruptedFailure, type Failure } from "./failure.ts";
import { load, modules } from "./require.ts";
import { compile, SourceError } from "./source.ts";
import { nextLine, register } from "./stack.ts";
import { clearTimers, hasTimers, takeTimer } from "./timers.ts";
import { present } from "./report.ts";

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
  `(function (${HOOK}, require, module, exports, process, __filename, __dirname) { return (${HOOK}_source) => eval(${HOOK}_source); })`,
);
let scope: Scope = (source) => {
  if (typeof outermost !== "function") throw new Error("no scope");
  const { require, module, process } = modules;
  scope = outermost.call(globalThis, hook, require, module, module.exports, process, "/work/code.js", "/work");
  return scope(source);
};

let state: State = { kind: "done" };
let interruption: string | undefined;
let wasInterrupted = false;

/** Compiles a turn's code and starts it in a job of its own. */
export function begin(code: string): void {
  state = { kind: "running" };
  hook.value = undefined;
  interruption = undefined;
  wasInterrupted = false;
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
    hook.value = await hook.value;
    state = { kind: "done" };
  } catch (error) {
    fail(error, error instanceof SourceError ? code : undefined);
  }
}

function fail(error: unknown, code?: string): void {
  if (state.kind === "failed") return;
  state = { kind: "failed", failure: failureOf(error, code) };
  clearTimers();
}

/** Runs the next timer; the report as JSON once all has run. */
export function step(): string | null {
  door.enter();
  if (wasInterrupted && state.kind !== "failed") {
    state = { kind: "failed", failure: interruptedFailure(interruption) };
    clearTimers();
  }
  if (state.kind !== "failed") {
    const callback = takeTimer();
    if (callback !== undefined) {
      void runTimer(callback);
      return null;
    }
    if (hasTimers()) return null;
    if (state.kind === "running") {
      fail(new Error("The code awaits a promise that can never settle: no timer, job or request is left that could settle it."));
    }
  }
  return present(state.kind === "failed" ? state.failure : undefined, hook.value);
}

async function runTimer(callback: () => unknown): Promise<void> {
  try {
    await callback();
  } catch (error) {
    fail(error);
  }
}

/** The engine is about to throw where the code is: keeps the error, since no handler will see it. */
export function interrupted(): void {
  wasInterrupted = true;
  Error.prepareStackTrace = (_error, sites) => {
    Error.prepareStackTrace = undefined;
    interruption = sites
      .map((site) => `    at ${site.getFunctionName() ?? ""} (${site.getFileName() ?? "native"}:${site.getLineNumber()}:${site.getColumnNumber()})`)
      .join("\n");
    return undefined;
  };
}
