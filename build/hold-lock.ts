import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DIST } from "./paths.ts";
import { tell } from "./step.ts";

const LOCK = join(DIST, ".lock");
const POLL_MS = 200;

/** Waits until no other build of this checkout runs; the lock is given back when disposed, or when its process is gone. */
export async function holdLock(): Promise<Disposable> {
  mkdirSync(DIST, { recursive: true });
  for (let told = false; !take(); told = true) {
    if (!told) tell("build: another build is running; waiting for it …");
    await sleep(POLL_MS);
  }
  return { [Symbol.dispose]: () => rmSync(LOCK, { force: true }) };
}

function take(): boolean {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: "wx" });
    return true;
  } catch {
    if (!holderLives()) rmSync(LOCK, { force: true });
    return false;
  }
}

function holderLives(): boolean {
  try {
    const pid = Number(readFileSync(LOCK, "utf8"));
    // Written an instant after it was made: an empty file belongs to someone.
    return pid === 0 || process.kill(pid, 0);
  } catch {
    return false;
  }
}
