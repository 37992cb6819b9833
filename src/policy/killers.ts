/** Who can end a turn before its time. */
export const KILLERS = ["kill_execution", "cancel", "interrupt", "close_sandbox", "shutdown"] as const;
export type Killer = (typeof KILLERS)[number];

/** Who aborted a signal, by the reason it was given; a client that cancels gives one of its own. */
export function killerOf(reason: unknown): Killer {
  return KILLERS.find((killer) => killer === reason) ?? "cancel";
}
