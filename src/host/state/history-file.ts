import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** So many of the newest lines are kept. */
const MOST_LINES = 1_000;

/** The lines that were typed in sessions, which a later one can be asked for. Where they can't be kept, a session goes on without. */
export interface HistoryFile {
  /** What earlier sessions left, the newest first. */
  readonly lines: readonly string[];
  add(line: string): void;
}

/** Opens the history in a state folder; nobody but the folder's owner can read it, since what is typed can be a secret. */
export function openHistory(folder: string, name: string): HistoryFile {
  const path = join(folder, `${name}.history`);
  const all = read(path);
  const lines = all.slice(-MOST_LINES);
  if (lines.length < all.length) attempt(() => writeFileSync(path, lines.map((line) => `${line}\n`).join(""), { mode: 0o600 }));
  let newest = lines.at(-1);
  return {
    lines: lines.toReversed(),
    add(line) {
      if (line.trim() === "" || line === newest) return;
      newest = line;
      attempt(() => appendFileSync(path, `${line}\n`, { mode: 0o600 }));
    },
  };
}

function read(path: string): string[] {
  let text = "";
  attempt(() => {
    text = readFileSync(path, "utf8");
  });
  return text.split("\n").filter((line) => line !== "");
}

function attempt(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}
