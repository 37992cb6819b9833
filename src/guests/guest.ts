import type { GrantUse } from "../policy/grants.ts";
import type { Limits } from "../policy/limits.ts";
import type { Picture, Report } from "../policy/outcome.ts";
import type { SavedFiles } from "../host/files/saved-files.ts";
import type { Changes, WorkFile } from "../host/files/workspace.ts";
import type { NetLine } from "../host/net/net-door.ts";
import type { Verdict } from "../engine/fuel.ts";

/**
 * A sandbox at rest between two turns: plain data, read-only, that any thread can make into a sandbox,
 * and into as many as are wanted.
 */
export interface SavedSandbox {
  /** The image that `memory` stands on. */
  readonly image: string;
  /** An image file (engine/image-file) in memory that threads share. */
  readonly memory: Uint8Array;
  /** Size of the linear memory. */
  readonly memoryBytes: number;
  readonly files: SavedFiles | undefined;
  /** What the guest's monotonic clock said, in milliseconds, and the wall's then: it goes on between turns. */
  readonly clockMs: number;
  readonly savedAt: number;
}

/** The host's side of one turn, as a guest needs it. */
export interface Turn {
  /** The code as it was given. */
  readonly code: string;
  readonly limits: Limits;
  /** True when the random generators are to start anew: in a fresh sandbox, and in a fork. */
  readonly reseed: boolean;
  /** True when a next turn may go on from this one. */
  readonly kept: boolean;
  /** True when what earlier turns have left pending, such as timers, is to be dropped. */
  readonly dropPending?: boolean;
  /** Written before the code runs. */
  readonly files: readonly WorkFile[];
  /** Takes what the guest prints; the bytes are only valid during the call. */
  readonly write: (stream: "stdout" | "stderr", bytes: Uint8Array) => void;
  /** Takes an image that the guest drew. */
  readonly picture: (picture: Picture) => void;
  /** Told from time to time, and at the end, what the code has used of what is granted. */
  readonly used?: ((uses: readonly GrantUse[]) => void) | undefined;
  /** Asked at every yield: go on, raise an exception in the guest, or throw it out. */
  readonly look: () => Verdict;
  /** Told once, when the turn asks for more fuel than its limit. */
  readonly outOfFuel: () => void;
  /** Blocks this thread for up to `ms` (may be Infinity); returns early when the turn is to end. */
  readonly wait: (ms: number) => void;
  /** The way to the network; none when no host was allowed. */
  readonly net?: NetLine | undefined;
}

/** One guest instance with memory of its own; disposing it drops the last reference to that memory. */
export interface GuestInstance extends Disposable {
  /**
   * Runs a turn; after a throw the state is not to be used again.
   * @throws BelljarError HALTED, OUT_OF_FUEL, GUEST_EXIT (cause: the exit code), GUEST_FAULT (a trap, with its reason).
   */
  turn(turn: Turn): Promise<Report>;
  /** What the last turn made or changed under /work, however it ended; `most` files at most. */
  changes(most: number): Changes;
  /** Instructions that the last turn used, at most its limit. */
  fuelUsed(): number;
  /** Size of the linear memory. */
  memoryBytes(): number;
  /** True when the memory has hardly room to grow: what broke the guest was most likely the want of it. */
  nearlyFull(): boolean;
  /** False once a turn was ended amid its work: the state is not to be used again. */
  usable(): boolean;
  /** True when the last turn was stopped while something ran that an earlier one had left pending, such as a timer. */
  wasInPending(): boolean;
  /** What is to be kept of the sandbox after a turn; the instance can run the next one. */
  save(): SavedSandbox;
  /** Becomes a saved sandbox; false when it can't, and is to be disposed. */
  load(saved: SavedSandbox, fileBytes: number): boolean;
  /** Goes back to the state of an image; false when it can't, and is to be disposed. */
  reset(image: string): boolean;
}

/** A language, loaded and compiled. */
export interface Guest {
  /** The name of the image that suits the code best, and what may follow it in a kept sandbox, of those that fit: a matter of speed alone. */
  imageFor(code: string, memoryBytes: number, kept?: boolean): string;
  /**
   * Makes an instance at rest, ready for its first turn, whose memory may grow to `memoryBytes`.
   * @throws RangeError when not even the image fits.
   */
  prepare(memoryBytes: number, image: string): Promise<GuestInstance>;
  /** What a turn may well do, as code: run ahead of calls, so that V8 has compiled what they need. */
  readonly warmUp: readonly string[];
  /** True when a turn raises an exception at `interrupt`, so that a stop can be soft first. */
  readonly interruptible: boolean;
}
