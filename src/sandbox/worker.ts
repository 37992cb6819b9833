import { parentPort } from "node:worker_threads";
import type { Guest, GuestInstance } from "../guests/guest.ts";
import { loadGuest } from "../guests/load.ts";
import { runTurn } from "./run.ts";
import type { FromWorker, ToWorker } from "./worker-messages.ts";

type Load = Extract<ToWorker, { kind: "load" }>;
type Run = Extract<ToWorker, { kind: "run" }>;

/** The sandbox made ready ahead of its call. */
interface Spare {
  readonly instance: GuestInstance;
  readonly image: string;
  readonly memoryBytes: number;
}

const port = parentPort;
if (port === null) throw new Error("this is the entry of a worker thread");
const send = (message: FromWorker): void => port.postMessage(message);

let guest: Guest | undefined;
let language: Load["assets"]["language"];
let spare: Spare | undefined;

async function load({ assets, memoryBytes }: Load): Promise<void> {
  language = assets.language;
  guest = await loadGuest(assets);
  spare = await prepare(guest, guest.imageFor(""), memoryBytes);
  send({ kind: "ready", language });
}

async function prepare(from: Guest, image: string, memoryBytes: number): Promise<Spare> {
  return { instance: await from.prepare(memoryBytes, image), image, memoryBytes };
}

async function run(message: Run): Promise<void> {
  if (guest === undefined) throw new Error("no guest is loaded");
  const { code, limits, files, progress } = message;
  const image = guest.imageFor(code);
  const sandbox = await take(guest, image, limits.memoryBytes);
  const finished = await runTurn({
    instance: sandbox.instance,
    language,
    code,
    limits,
    files,
    flag: new Int32Array(message.flag),
    soft: guest.interruptible,
    ...(progress ? { onProgress: (state) => send({ kind: "progress", ...state }) } : {}),
  });
  send({ kind: "done", finished });
  // The answer is on its way: what comes now is done ahead of the next call.
  spare = await renew(guest, sandbox);
}

/** The spare sandbox when it fits, else one made for this call. */
async function take(from: Guest, image: string, memoryBytes: number): Promise<Spare> {
  const ready = spare;
  spare = undefined;
  if (ready === undefined) return prepare(from, image, memoryBytes);
  if (ready.memoryBytes === memoryBytes && (ready.image === image || ready.instance.reset(image))) {
    return { ...ready, image };
  }
  ready.instance[Symbol.dispose]();
  return prepare(from, image, memoryBytes);
}

/** Nothing of the turn stays: the same memory written back to its image, or a new one. */
async function renew(from: Guest, used: Spare): Promise<Spare> {
  if (used.instance.reset(used.image)) return used;
  used.instance[Symbol.dispose]();
  return prepare(from, used.image, used.memoryBytes);
}

/** One message after the other: a run waits until the sandbox before it is cleaned. */
let last = Promise.resolve();
port.on("message", (message: ToWorker) => {
  last = last.then(() => (message.kind === "load" ? load(message) : run(message)));
});
