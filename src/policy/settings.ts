import type { Grants } from "./grants.ts";
import type { LimitName } from "./limits.ts";

/** What an answer carries: text and images, structured content, both, or what fits the client by its name. */
export const ANSWERS = ["auto", "text", "structured", "both"] as const;
export type Answer = (typeof ANSWERS)[number];

/** The settings of one server: what its flags and variables come to. */
export interface Settings {
  /** Each limit as this server sets it: the default of a call, and the most that a call may ask for. */
  readonly limits: Readonly<Record<LimitName, number>>;
  readonly answer: Answer;
  /** True when each call is to tell on stderr where its time went. */
  readonly profile: boolean;
  /** Turns that run at the same time. */
  readonly workers: number;
  /** Folder in which named sandboxes outlive the server; without it nothing is written. */
  readonly stateDir?: string;
  readonly grants: Grants;
  /** The value of each secret, by its name; for the server alone, never sent to the engine. */
  readonly secretValues: Readonly<Record<string, string>>;
  /** File to which each use of a grant is told; stderr without it. */
  readonly audit?: string;
}
