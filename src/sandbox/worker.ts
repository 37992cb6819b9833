import { parentPort } from "node:worker_threads";
import { messageOf } from "../base/errors.ts";
import { type Moment, moment } from "../base/moments.ts";
import { collectGarbage } from "../engine/garbage.ts";
import type { Guest, GuestInstance } from "../guests/guest.ts";
import { loadGuest } from "../guests/load.ts";
import type { GuestModules } from "../guests/modules.ts";
import { runTurn } from "./run.ts";
import { raisedBy } from "./stop.ts";
import type { Killer } from "../policy/killers.ts";
import { sentences } from "../policy/sentences.ts";
import type { Finished } from "./sandboxes.ts";
import type { FromWorker, KeptTurn, ToWorker } from "./worker-messages.ts";

type Load = Extract<ToWorker, { kind: "load" }>;
type Run = Extract<ToWorker, { kind: "run" }>;

/** The instance at hand: ready ahead of its call, or with the named sandbox that ran in it last. */
interface Spare {
  readonly instance: GuestInstance;
  readonly image: string;
  readonly memoryBytes: number;
  /** False when a turn has run in it since it was at its image. */
  readonly clean: boolean;
}

const port = parentPort;
if (port === null) throw new Error("this is the entry of a worker thread");
const send = (message: FromWorker): void => port.postMessage(message);

// Node's own way to tell of it loads what ends the whole process where that began with a snapshot.
process.on("uncaughtException", (error) => {
  send({ kind: "failed", reason: messageOf(error) });
  process.exit(1);
});

/** They come later than the rest, which goes on meanwhile. */
const modules = Promise.withResolvers<GuestModules>();
let guest: Guest | undefined;
let language: Load["language"];
let spare: Spare | undefined;
let grants: Load["grants"];

async function load(message: Load): Promise<void> {
  ({ language, grants } = message);
  if (!message.first) warmed = WARM_ALREADY;
  const parts = { modules: modules.promise, rooms: Promise.resolve(message.rooms) };
  guest = await loadGuest(language, parts, message.grants, message.memoryBytes);
  spare = await prepare(guest, guest.imageFor("", message.memoryBytes), message.memoryBytes);
  send({ kind: "ready" });
}

async function prepare(from: Guest, image: string, memoryBytes: number): Promise<Spare> {
  return { instance: await from.prepare(memoryBytes, image), image, memoryBytes, clean: true };
}

async function run(message: Run): Promise<void> {
  if (guest === undefined) throw new Error("no guest is loaded");
  const { code, limits, kept } = message;
  const moments: Moment[] = [moment("to the thread")];
  spare = kept ? await takeKept(guest, message, kept) : await take(guest, guest.imageFor(code, limits.memoryBytes), limits.memoryBytes);
  moments.push(moment("a sandbox"));
  send({ kind: "begun" });
  const counts = await answer(spare.instance, guest.interruptible, message, moments);
  // The answer is on its way: what comes now is done ahead of the next call.
  if (kept !== undefined) send({ kind: "rest", saved: counts ? spare.instance.save() : undefined, wasInPending: !counts && spare.instance.wasInPending() });
  if (counts) spare = { ...spare, clean: false };
  else await renew(guest);
  send({ kind: "clean" });
}

/** Runs a turn and sends what it ended in; true when a named sandbox is to keep its state. */
async function answer(instance: GuestInstance, soft: boolean, run: Run, moments: Moment[]): Promise<boolean> {
  const { code, limits, files, progress, profile, kept } = run;
  const flag = new Int32Array(run.flag);
  const finished = await runTurn({
    instance,
    language,
    code,
    limits,
    files,
    reseed: kept?.reseed ?? true,
    kept: kept !== undefined,
    dropPending: kept?.dropPending ?? false,
    flag,
    net: run.net,
    soft,
    grants,
    onUses: (uses) => send({ kind: "used", uses }),
    onEnd: () => void moments.push(moment("the turn")),
    ...(progress ? { onProgress: (state) => send({ kind: "progress", ...state }) } : {}),
  });
  const counts = kept !== undefined && instance.usable() && LASTING.has(finished.outcome.status);
  const told = kept === undefined ? finished : named(finished, kept.name, fateOf(finished, kept.name, counts, instance.wasInPending(), raisedBy(flag)));
  moments.push(moment("its outcome"));
  send({ kind: "done", finished: profile ? { ...told, moments } : told });
  return counts;
}

/** Endings after which a named sandbox keeps what the turn did; after any other it is as before. */
const LASTING: ReadonlySet<string> = new Set(["ok", "error", "timeout"]);

/** The answer of a named sandbox's turn says what became of the sandbox. */
function named(finished: Finished, name: string, fate: string | undefined): Finished {
  const { outcome } = finished;
  const notes = fate === undefined ? outcome.notes : [...(outcome.notes ?? []), fate];
  return { ...finished, outcome: { ...outcome, sandbox: name, ...(notes && { notes }) } };
}

/** What a stop left of a sandbox; nothing to say when the code ended by itself, or the sandbox with it. */
function fateOf({ outcome }: Finished, name: string, counts: boolean, wasInPending: boolean, killer: Killer | undefined): string | undefined {
  if (counts) return outcome.status === "timeout" ? sentences.keptBefore(name) : undefined;
  if (killer === "close_sandbox") return undefined;
  return wasInPending ? sentences.asBeforeButPending(name) : sentences.asBefore(name);
}

/** The spare sandbox when it fits, else one made for this call. */
async function take(from: Guest, image: string, memoryBytes: number): Promise<Spare> {
  if (spare?.memoryBytes === memoryBytes && ((spare.clean && spare.image === image) || spare.instance.reset(image))) {
    return { ...spare, image, clean: true };
  }
  await drop();
  return prepare(from, image, memoryBytes);
}

/** The named sandbox: still at hand, or loaded into what is, or made anew. */
async function takeKept(from: Guest, { code, limits }: Run, { saved, held }: KeptTurn): Promise<Spare> {
  if (held && spare !== undefined) return spare;
  if (saved === undefined) return take(from, from.imageFor(code, limits.memoryBytes, true), limits.memoryBytes);
  const memoryBytes = Math.max(limits.memoryBytes, saved.memoryBytes);
  if (spare?.memoryBytes === memoryBytes && spare.instance.load(saved, limits.fileBytes)) return { ...spare, image: saved.image };
  await drop();
  const made = await prepare(from, saved.image, memoryBytes);
  made.instance.load(saved, limits.fileBytes);
  return made;
}

/** Nothing of the turn stays: the same memory written back to its image, or a new one. */
async function renew(from: Guest): Promise<void> {
  if (spare === undefined) return;
  const { image, memoryBytes } = spare;
  if (spare.instance.reset(image)) {
    spare = { ...spare, clean: true };
    return;
  }
  await drop();
  spare = await prepare(from, image, memoryBytes);
}

/** Gives back the memory of the instance at hand. */
async function drop(): Promise<void> {
  spare?.instance[Symbol.dispose]();
  spare = undefined;
  // By then no frame holds the instance any more.
  await new Promise(setImmediate);
  collectGarbage();
}

/** One message after the other: a run waits until the sandbox before it is cleaned. */
let last = Promise.resolve();
port.on("message", (message: ToWorker) => {
  if (message.kind === "modules") return modules.resolve(message.modules);
  clearTimeout(idling);
  last = last.then(() => (message.kind === "load" ? load(message) : run(message))).then(() => warmUpWhenIdle());
});

/** Turns run ahead of calls, and how long nothing has to happen before the next one. */
const WARM_UP_TURNS = 40;
/** Of these in a thread that is not the first of its language: there only this program's own code is new. */
const WARM_ALREADY = 28;
const IDLE_MS = 400;
let warmed = 0;
let idling: NodeJS.Timeout | undefined;

/** V8 compiles the guest's functions at their first call, and better when they have run some more: not in a call's time. */
function warmUpWhenIdle(delayMs = IDLE_MS): void {
  clearTimeout(idling);
  if (warmed >= WARM_UP_TURNS) return;
  idling = setTimeout(() => {
    last = last.then(warmUp);
  }, delayMs);
  idling.unref();
}

/** One turn in the sandbox at hand, which is its image again before a call can have it. */
async function warmUp(): Promise<void> {
  if (guest === undefined || spare?.clean !== true) return;
  const { instance, memoryBytes } = spare;
  const code = guest.warmUp[warmed % guest.warmUp.length] ?? "";
  warmed += 1;
  const limits = { wallTimeMs: 1_000, fuel: 100_000_000, memoryBytes, outputBytes: 1_024, fileBytes: 1_024 };
  const flag = new Int32Array(new SharedArrayBuffer(4));
  await runTurn({ instance, language, code, limits, files: [], reseed: true, flag, kept: false, soft: guest.interruptible, onEnd: () => {} });
  spare = { ...spare, clean: false };
  await renew(guest);
  warmUpWhenIdle(0);
}
