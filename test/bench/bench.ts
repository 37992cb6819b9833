import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "../../build/paths.ts";
import { connect } from "../e2e/driver.ts";
import { busyPrograms, growth, starts, trivialCalls, weights } from "./belljar.ts";
import { measureFolders } from "./folders.ts";
import { memory, setting } from "./machine.ts";
import { openPeers } from "./peers.ts";
import { measureRequests } from "./requests.ts";
import { type Row, table } from "./rows.ts";
import { measureSandboxes } from "./sandboxes.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "9" },
    calls: { type: "string", default: "200" },
    growth: { type: "string", default: "2000" },
    only: { type: "string", default: "" },
    "no-peers": { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    page: { type: "boolean", default: false },
  },
});
const ROUNDS = Number(values.rounds);
const peers = values["no-peers"] ? [] : openPeers();

/** The page's chapters; `--only=starts,calls` takes some of them. */
const CHAPTERS: Readonly<Record<string, { readonly title: string; readonly measure: () => Promise<readonly Row[]> }>> = {
  starts: { title: "From nothing to an answer", measure: () => starts(ROUNDS) },
  calls: { title: "A call that does next to nothing", measure: () => warm((server) => trivialCalls(server, Number(values.calls), peers)) },
  programs: {
    title: "Programs that keep a processor busy",
    measure: () => warm((server) => busyPrograms(server, ROUNDS, peers.find(({ language }) => language === "javascript"))),
  },
  growth: { title: "The last call as fast as the first", measure: () => warm((server) => growth(server, Number(values.growth))) },
  weights: { title: "What it weighs", measure: weights },
  sandboxes: { title: "Named sandboxes", measure: () => measureSandboxes(ROUNDS, (pid) => memory(pid)) },
  requests: { title: "Requests over the network, of this machine to itself", measure: () => measureRequests(ROUNDS) },
  folders: { title: "Folders that were granted", measure: () => measureFolders(ROUNDS) },
};

/** Measures on a server that has answered in both languages, and has had time to warm up. */
async function warm<Result>(measure: (server: Awaited<ReturnType<typeof connect>>) => Promise<Result>): Promise<Result> {
  await using server = await connect();
  await Promise.all([server.run("python", "1"), server.run("javascript", "1")]);
  await new Promise((done) => setTimeout(done, 3_000));
  // Awaited here, since the server is disposed at the return.
  return await measure(server);
}

const wanted = values.only === "" ? Object.keys(CHAPTERS) : values.only.split(",");
const measured: { readonly title: string; readonly rows: readonly Row[] }[] = [];
for (const name of wanted) {
  const chapter = CHAPTERS[name];
  if (chapter === undefined) throw new Error(`there is no chapter ${name}; there are ${Object.keys(CHAPTERS).join(", ")}`);
  measured.push({ title: chapter.title, rows: await chapter.measure() });
}
for (const peer of peers) await peer[Symbol.asyncDispose]();

const INTRODUCTION = `What \`npm run bench\` measured: medians, the range of all rounds beside them, and what is aimed at. Others are installed by
it, in a folder of their own, and asked by turns with Belljar. A row of a library has no protocol in it, and no second
process; Belljar's are over MCP by the SDK's client, but for programs that keep a processor busy, where it is the time of the
run itself, and the least of all rounds.`;
const page = [`# Benchmarks`, INTRODUCTION, `${setting()}.`, ...measured.flatMap(({ title, rows }) => [`## ${title}`, table(rows)])].join("\n\n");
if (values.page) writeFileSync(join(ROOT, "docs", "BENCHMARKS.md"), `${page}\n`);
process.stdout.write(values.json ? `${JSON.stringify({ setting: setting(), measured }, undefined, 1)}\n` : `${page}\n`);
