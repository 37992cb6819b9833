import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect, descendants, isAlive, type Connection } from "./driver.ts";

/** A server with a state folder of its own, that can be ended and come back. */
export interface StatefulServer extends AsyncDisposable {
  readonly folder: string;
  /** The server as it runs now. */
  readonly now: () => Connection;
  /** Ends it as a client does, and starts another on the same folder. */
  readonly restart: () => Promise<void>;
  /** The same by `kill -9` of the server. */
  readonly crash: () => Promise<void>;
}

export async function startStateful(args: readonly string[] = []): Promise<StatefulServer> {
  const folder = mkdtempSync(join(tmpdir(), "belljar-state-"));
  const start = (): Promise<Connection> => connect([`--state-dir=${folder}`, ...args]);
  let server = await start();
  const end = async (kill: boolean): Promise<void> => {
    const { pid } = server;
    const all = [pid, ...descendants(pid)];
    if (kill) process.kill(pid, "SIGKILL");
    await server[Symbol.asyncDispose]();
    while (all.some(isAlive)) await sleep(5);
  };
  return {
    folder,
    now: () => server,
    async restart() {
      await end(false);
      server = await start();
    },
    async crash() {
      await end(true);
      server = await start();
    },
    async [Symbol.asyncDispose]() {
      await end(false);
      rmSync(folder, { recursive: true });
    },
  };
}
