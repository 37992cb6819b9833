import door from "belljar:guest/door";
import { writeText } from "../console.ts";
import { note } from "../notes.ts";
import { ask } from "./files.ts";

type Callback = (...args: unknown[]) => unknown;

function stream(name: "stdout" | "stderr", fd: number): object {
  return {
    fd,
    isTTY: false,
    columns: 80,
    writable: true,
    write(chunk: unknown, encoding?: unknown, callback?: Callback) {
      writeText(name, ArrayBuffer.isView(chunk) ? String(chunk) : String(chunk));
      const done = typeof encoding === "function" ? encoding : callback;
      if (typeof done === "function") queueMicrotask(() => done());
      return true;
    },
    end: () => process,
    on: () => process,
    once: () => process,
  };
}

function hrtime(since?: readonly [number, number]): [number, number] {
  const now = door.monotonic();
  const seconds = Math.trunc(now / 1_000) - (since?.[0] ?? 0);
  const nanoseconds = Math.trunc((now % 1_000) * 1_000_000) - (since?.[1] ?? 0);
  return nanoseconds < 0 ? [seconds - 1, nanoseconds + 1_000_000_000] : [seconds, nanoseconds];
}
hrtime.bigint = (): bigint => BigInt(Math.round(door.monotonic() * 1_000_000));

/** The variables that the user has granted, and those that the code has set. */
const variables: Record<string, string> = {};
let granted: Readonly<Record<string, string>> = {};
/** True until the first turn: what runs before is no code of the user. */
let asked = true;

/** Takes what is granted, when the code first looks in a turn; what it has set itself stays, unless that has changed. */
function current(): Record<string, string> {
  if (asked) return variables;
  asked = true;
  const { ok } = ask("environment", { op: "environment", path: "" });
  const now: Readonly<Record<string, string>> = Object.fromEntries(Object.entries(Object(ok)).map(([name, value]) => [name, String(value)]));
  if (JSON.stringify(now) === JSON.stringify(granted)) return variables;
  for (const name of Object.keys(granted)) delete variables[name];
  granted = now;
  return Object.assign(variables, now);
}

/** Each turn may have been granted something else. */
export function beginProcess(): void {
  asked = false;
}

const env = new Proxy(variables, {
  get(_, name) {
    const all = current();
    if (typeof name === "string" && /^[A-Z][A-Z0-9_]*$/.test(name) && !Object.hasOwn(all, name)) {
      note(`The variable ${name} is not passed to the code. Whoever starts Belljar can pass it with --allow-env=${name}.`);
    }
    return Reflect.get(all, name);
  },
  has: (_, name) => Reflect.has(current(), name),
  ownKeys: () => Reflect.ownKeys(current()),
  getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor(current(), name),
  set: (_, name, value) => Reflect.set(current(), name, typeof value === "symbol" ? value : String(value)),
});

/** Node's `process`, as far as it harms nobody: no variables but those granted, no signals, an exit that ends the turn. */
export const process = {
  argv: ["node", "/work/code.js"],
  argv0: "node",
  execArgv: [],
  env,
  pid: 1,
  ppid: 0,
  platform: "wasi",
  arch: "wasm32",
  version: "v0.0.0",
  versions: {},
  release: { name: "quickjs" },
  title: "node",
  exitCode: undefined as number | undefined,
  stdout: stream("stdout", 1),
  stderr: stream("stderr", 2),
  stdin: { fd: 0, isTTY: false },
  cwd: () => "/work",
  exit: (code?: unknown): never => door.exit(Number(code ?? process.exitCode ?? 0) | 0),
  uptime: () => door.monotonic() / 1_000,
  hrtime,
  memoryUsage: () => ({ rss: 0, heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 }),
  nextTick: (callback: Callback, ...args: unknown[]) => queueMicrotask(() => void callback(...args)),
  emitWarning: (warning: unknown) => writeText("stderr", `Warning: ${warning instanceof Error ? warning.message : String(warning)}\n`),
  on: () => process,
  once: () => process,
  off: () => process,
  addListener: () => process,
  removeListener: () => process,
  removeAllListeners: () => process,
  emit: () => false,
  listeners: () => [],
};
