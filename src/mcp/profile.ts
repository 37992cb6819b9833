import { describeMoments, type Moment, moment } from "../base/moments.ts";
import { log } from "../base/log.ts";

type RequestId = string | number;

interface Started {
  readonly at: number;
  readonly moments: Moment[];
}

/** Tells on stderr where the time of each call of a tool went, stage by stage, from its line to its answer's. */
export interface Profile {
  /** A request's line was read. */
  arrived(id: RequestId): void;
  /** The stages of a request so far. */
  add(id: RequestId, ...moments: readonly Moment[]): void;
  /** A request's answer was written, or there will be none. */
  answered(id: RequestId): void;
}

export function createProfile(write: (line: string) => void = log): Profile {
  const open = new Map<RequestId, Started>();
  return {
    arrived: (id) => void open.set(id, { at: moment("")[1], moments: [] }),
    add: (id, ...moments) => void open.get(id)?.moments.push(...moments),
    answered(id) {
      const started = open.get(id);
      open.delete(id);
      if (started === undefined || started.moments.length === 0) return;
      write(`call ${String(id)} took ${describeMoments(started.at, [...started.moments, moment("its line")])}`);
    },
  };
}
