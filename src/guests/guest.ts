import type { Limits } from "../policy/limits.ts";
import type { Picture, Report } from "../policy/outcome.ts";
import type { Verdict } from "../engine/fuel.ts";

/** The host's side of one turn, as a guest needs it. */
export interface Turn {
  /** The code as it was given. */
  readonly code: string;
  readonly limits: Limits;
  /** Takes what the guest prints; the bytes are only valid during the call. */
  readonly write: (stream: "stdout" | "stderr", bytes: Uint8Array) => void;
  /** Takes an image that the guest drew; already bounds-checked. */
  readonly picture: (picture: Picture) => void;
  /** Asked at every yield: go on, raise an exception in the guest, or throw it out. */
  readonly look: () => Verdict;
  /**
   * Blocks this thread for up to `ms` (may be Infinity); returns early when the turn is to end.
   * @throws BelljarError HALTED when the guest must not go on.
   */
  readonly wait: (ms: number) => void;
}

/** One guest instance with memory of its own. Dispose frees its memory (the last reference to it). */
export interface GuestInstance extends Disposable {
  /**
   * Runs a turn. After any throw but GUEST_EXIT the state is not to be used again.
   * @throws BelljarError HALTED, OUT_OF_FUEL, GUEST_EXIT (cause: the exit code), GUEST_FAULT (a trap, with its reason).
   */
  turn(turn: Turn): Promise<Report>;
  /** Instructions that the last turn used. */
  fuelUsed(): number;
  /** True when the last turn asked for more fuel than its limit. */
  outOfFuel(): boolean;
  /** Size of the linear memory. */
  memoryBytes(): number;
}

/** A language, loaded and compiled. */
export interface Guest {
  /** Makes an instance at rest, ready for its first turn, whose memory may grow to `memoryBytes`. */
  prepare(memoryBytes: number): Promise<GuestInstance>;
}
