import type { ChildProcess } from "node:child_process";
import { log } from "../base/log.ts";
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

/** Speaks with an engine's process over the channel that it was started with. */
export function linkEngine(child: ChildProcess, { onMessage, onGone }: EngineEvents): EngineLink {
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
  if (hasEnded(child)) setImmediate(() => child.emit("exit"));
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

/** True when it ended before anyone listened. */
function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Keeps the engine in this process, where a child could not be reached (Deno). */
export function embedEngine({ onMessage }: EngineEvents): EngineLink {
  const engine = createEngine((message) => queueMicrotask(() => onMessage(message)));
  return {
    send: (message) => engine.receive(message),
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}
