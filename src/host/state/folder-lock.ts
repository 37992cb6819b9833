import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BelljarError, messageOf } from "../../base/errors.ts";
import { sentences } from "../../policy/sentences.ts";

const LOCK = "lock";

/**
 * Makes a folder this process's own until it is disposed; one left by a process that is gone is taken over.
 * @throws BelljarError REFUSED when another process has it, or it can't be written to.
 */
export function lockFolder(folder: string): Disposable {
  const lock = join(folder, LOCK);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!create(lock)) {
      const [pid = "", begun = ""] = readFileSync(lock, "utf8").split(" ");
      const owner = Number(pid);
      if (isRunning(owner, begun)) throw new BelljarError("REFUSED", sentences.stateFolderBusy(folder, owner));
      rmSync(lock, { force: true });
      if (!create(lock)) throw new BelljarError("REFUSED", sentences.stateFolderBusy(folder, owner));
    }
  } catch (error) {
    if (error instanceof BelljarError) throw error;
    throw new BelljarError("REFUSED", sentences.stateFolderBad(folder, messageOf(error)));
  }
  return {
    [Symbol.dispose]: () => rmSync(lock, { force: true }),
  };
}

/** False when it is there already. */
function create(lock: string): boolean {
  try {
    writeFileSync(lock, `${String(process.pid)} ${startOf(process.pid)}`, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** True for a process that is there and began then: numbers are given anew, in containers soon and to the same program. */
function isRunning(pid: number, begun: string): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  const now = startOf(pid);
  if (begun !== "" && now !== "") return begun === now;
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** When a process began, in the words of Linux (proc_pid_stat(5), field 22); nothing where that isn't told. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}
