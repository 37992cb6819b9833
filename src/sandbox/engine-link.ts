import { spawn } from "node:child_process";
import { log } from "../base/log.ts";
import { isPacked, programFolder } from "../engine/assets.ts";
import { createEngine } from "./engine.ts";
import { fromEngineSchema, type FromEngine, type ToEngine } from "./engine-messages.ts";

/** The way to one engine, over its whole life; disposing it ends the engine. */
export interface EngineLink extends AsyncDisposable {
  send(message: ToEngine): void;
}

export interface EngineEvents {
  readonly onMessage: (message: FromEngine) => void;
  /** Called once, when the engine is gone without having been disposed. */
  readonly onGone: () => void;
}

/** The engine's rights: no files but its own assets, no network, no processes. */
const ENGINE_FLAGS = ["--permission", "--allow-worker", "--disable-warning=PERM0006"];

/**
 * Starts the engine as a child process of this same program, with an empty environment.
 * `rights` are flags of Node that open more to it.
 */
export function spawnEngine({ onMessage, onGone }: EngineEvents, rights: readonly string[]): EngineLink {
  const child = spawn(process.execPath, engineArguments(rights), {
    env: {},
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    serialization: "advanced",
    windowsHide: true,
  });
  let gone = false;
  const leave = (): void => {
    if (!gone) onGone();
    gone = true;
  };
  child.on("message", (message) => {
    const parsed = fromEngineSchema.safeParse(message);
    if (parsed.success) onMessage(parsed.data);
    else log(`a message of the engine was not understood: ${parsed.error.message}`);
  });
  child.on("error", leave);
  child.on("exit", leave);
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    send(message) {
      if (child.connected) child.send(message);
    },
    async [Symbol.asyncDispose]() {
      gone = true;
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** A packed binary takes the flags in one argument of its own; a program on disk must be allowed to read itself. */
function engineArguments(rights: readonly string[]): string[] {
  const script = process.argv[1];
  if (isPacked() || script === undefined) return [`--node-options=${[...ENGINE_FLAGS, ...rights].map(quoted).join(" ")}`, "engine"];
  return [...ENGINE_FLAGS, ...rights, `--allow-fs-read=${programFolder()}`, script, "engine"];
}

/** As NODE_OPTIONS has it: a path may hold spaces. */
function quoted(flag: string): string {
  return `"${flag.replaceAll(/["\\]/g, "\\$&")}"`;
}

/** Keeps the engine in this process, where a child could not be reached (Deno). */
export function embedEngine({ onMessage }: EngineEvents): EngineLink {
  const engine = createEngine((message) => queueMicrotask(() => onMessage(message)));
  return {
    send: (message) => engine.receive(message),
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}
