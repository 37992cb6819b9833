import { refuse } from "../errno.ts";
import type { FolderLimits, GrantUse } from "../../policy/grants.ts";

/** What one turn has done in mounted folders: what is left of its limits, and what is to be told of it. */
export interface Ledger {
  /** Starts a turn's account; what is used is told from time to time, and at the end. */
  begin(limits: FolderLimits, tell: (uses: readonly GrantUse[]) => void): void;
  end(): void;
  /** @throws WasiFault nospc when the turn would write more than it may. */
  chargeBytes(bytes: number): void;
  /** @throws WasiFault nospc when the turn would make more files and folders than it may. */
  chargeFile(): void;
  /** @throws WasiFault mfile when as many files are open as may be. */
  checkHandle(): void;
  /** One more, or one less, is open. */
  handles(change: 1 | -1): void;
  /** Notes a use, or, with bytes, how much went on in one noted before. */
  note(what: GrantUse["what"], path: string, bytes?: number): void;
}

/** How long a use may wait to be told. */
const TELL_MS = 500;
/** So many are told apart at a time. */
const MOST_USES = 1_000;
const NOTHING: FolderLimits = { writtenBytes: 0, madeFiles: 0, openFiles: 0 };

export function createLedger(now: () => number = () => performance.now()): Ledger {
  let limits = NOTHING;
  let tell: (uses: readonly GrantUse[]) => void = () => {};
  let written = 0;
  let made = 0;
  let open = 0;
  /** When the oldest use that hasn't been told was noted. */
  let since = 0;
  const uses = new Map<string, { what: GrantUse["what"]; name: string; bytes: number; times: number }>();

  const flush = (): void => {
    if (uses.size > 0) tell([...uses.values()]);
    uses.clear();
  };
  return {
    begin(given, teller) {
      limits = given;
      tell = teller;
      written = 0;
      made = 0;
    },
    end() {
      flush();
      limits = NOTHING;
    },
    chargeBytes(bytes) {
      if (written + bytes > limits.writtenBytes) refuse("nospc");
      written += bytes;
    },
    chargeFile() {
      if (made >= limits.madeFiles) refuse("nospc");
      made += 1;
    },
    checkHandle() {
      if (open >= limits.openFiles) refuse("mfile");
    },
    handles(change) {
      open += change;
    },
    note(what, name, bytes = 0) {
      if (uses.size === 0) since = now();
      const key = `${what} ${name}`;
      const use = uses.get(key) ?? { what, name, bytes: 0, times: 0 };
      use.bytes += bytes;
      if (bytes === 0) use.times += 1;
      uses.set(key, use);
      if (uses.size >= MOST_USES || now() - since > TELL_MS) flush();
    },
  };
}
