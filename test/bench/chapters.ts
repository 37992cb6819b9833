import { setTimeout as sleep } from "node:timers/promises";
import { connect, type Connection } from "../e2e/driver.ts";
import { weights } from "./belljar.ts";
import { busyPrograms } from "./busy.ts";
import { trivialCalls } from "./calls.ts";
import { measureFolders } from "./folders.ts";
import { growth } from "./growth.ts";
import { memory } from "./machine.ts";
import type { Peer } from "./peers.ts";
import { measureRequests } from "./requests.ts";
import type { Row } from "./rows.ts";
import { measureSandboxes } from "./sandboxes.ts";
import { stages } from "./stages.ts";
import { starts } from "./starts.ts";

/** How much is measured, and beside whom. */
export interface Extent {
  readonly rounds: number;
  readonly calls: number;
  readonly growth: number;
  readonly peers: () => Promise<readonly Peer[]>;
}

export interface Chapter {
  readonly title: string;
  /** What a reader is to know of how it was measured. */
  readonly about: string;
  readonly measure: (extent: Extent) => Promise<readonly Row[]>;
}

/** The page's chapters in their order, by the names that `--only` takes. */
export const CHAPTERS: Readonly<Record<string, Chapter>> = {
  starts: {
    title: "From nothing to an answer",
    about: `From the start of a process to the answer of its first call. Each round starts all of them, one after the other. Belljar keeps
nothing on the disk, so each of its starts is a first ever one; others compile, and keep what they compiled: their first ever
start is one with an empty folder for that, the later ones find it. Files are in the system's cache for all.`,
    measure: async ({ rounds, peers }) => starts(rounds, await peers()),
  },
  calls: {
    title: "A call that does next to nothing",
    about: `\`1 + 1\` in a sandbox of its own each time, after 20 calls that count for none. All are called by turns, ten of them; what takes
more than 100 ms only once a turn. Eight at once: by turns as well, five of them.`,
    measure: async ({ calls, peers }) => {
      const others = await peers();
      return warm((server) => trivialCalls(server, calls, others));
    },
  },
  stages: {
    title: "Where the time of such a call goes",
    about: `As a server with \`--profile=on\` tells it, after 100 calls that count for none. What the client and the pipes take is not in it.`,
    measure: ({ calls }) => stages(calls),
  },
  programs: {
    title: "Programs that keep a processor busy",
    about: `By turns here and there; each pair of times makes a ratio. Belljar counts every instruction, the others count none. The first
round, which compiles, counts for none.`,
    measure: async ({ rounds, peers }) => {
      const others = await peers();
      return warm((server) => busyPrograms(server, rounds, others));
    },
  },
  growth: {
    title: "The last call as fast as the first, however much there is",
    about: `Trivial calls one after the other in one server, after 200 that count for none; two servers by turns, one of them with much that
the call doesn't use; and calls that write more and more. Garbage of the server's own is collected when there is some 100 MB of
it; \`npm run soak\` judges whether memory grows.`,
    measure: ({ growth: calls, calls: perServer }) => growth(calls, perServer),
  },
  weights: { title: "What it weighs", about: "On Linux, by the system's own account: a page that several processes share counts in parts.", measure: weights },
  sandboxes: { title: "Named sandboxes", about: "Turns, copies and rollbacks of a pandas session, in memory and with a state folder.", measure: ({ rounds }) => measureSandboxes(rounds, (pid) => memory(pid)) },
  requests: { title: "Requests over the network, of this machine to itself", about: "One after the other; by turns without a sandbox and in both languages.", measure: ({ rounds }) => measureRequests(rounds) },
  folders: { title: "Folders that were granted", about: "The same code by turns in a run and in the machine's own Python.", measure: ({ rounds }) => measureFolders(rounds) },
};

/** Measures on a server that has answered in both languages, and has had time to warm up. */
async function warm<Result>(measure: (server: Connection) => Promise<Result>): Promise<Result> {
  await using server = await connect();
  await Promise.all([server.run("python", "1"), server.run("javascript", "1")]);
  await sleep(3_000);
  // Awaited here, since the server is disposed at the return.
  return await measure(server);
}
