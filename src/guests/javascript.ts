import { BelljarError } from "../base/errors.ts";
import { openAsset } from "../engine/assets.ts";
import { createFuelBudget } from "../engine/fuel.ts";
import { applyImage, type Image, WASM_PAGE } from "../engine/image.ts";
import { resetToImage } from "../engine/restore.ts";
import { decodeImage } from "../engine/image-file.ts";
import { type BaseLayer, createBaseLayer } from "../host/files/base-layer.ts";
import { fileRequest } from "../host/files/requests.ts";
import { createNetDoor } from "../host/net/net-door.ts";
import { createWorkspace } from "../host/files/workspace.ts";
import { type Mounts, openMounts } from "../host/mounts/mounts.ts";
import { lowerBytes } from "../host/component.ts";
import { type Grants, NO_GRANTS } from "../policy/grants.ts";
import { type Report, reportSchema } from "../policy/outcome.ts";
import { sentences } from "../policy/sentences.ts";
import { isFull, isNearlyFull } from "./ceiling.ts";
import { clockOf, loadState, saveState } from "./rest.ts";
import { JAVASCRIPT_MODULES } from "./modules.ts";
import type { Guest, GuestInstance } from "./guest.ts";
import { instantiateJavascript, type JavascriptCore, type JavascriptHost, type JavascriptModules, layoutOf } from "./javascript-core.ts";
import { createEngineWords } from "./javascript-engine.ts";

const [RUNTIME, BINDINGS] = JAVASCRIPT_MODULES;
const IMAGE = "javascript/image";
/** There is one image, for all code. */
const IMAGE_NAME = "javascript";

/** Instructions for the report, once a turn has used up its fuel. */
const UNWIND_FUEL = 200_000_000;
/** So much of a turn marks the pages it writes to: then that has cost what it takes to compare them all. */
const MARKED_FUEL = 6_000_000;
const LAST_WORDS = 2_048;
/** Of its memory, what a file may take: it is there twice, as it comes and as what the code gets of it. */
const FILE_SHARE = 1 / 2;

/** Each has a value, output or a failure to tell; one has types. */
const WARM_UP = [
  "1 + 1",
  "const words = { a: [1, 2.5, null], b: { c: 'd'.repeat(3) } };\nconsole.log(words);\nwords",
  "const twice = (x: number): number => x * 2;\nawait Promise.resolve(twice(21))",
  "const f = (x) => x.y.z;\nf({})",
  // Long enough to go on without marks.
  "const d = {}; for (let i = 0; i < 15_000; i++) d[i % 50] = `${i}`; [...Object.values(d).join().matchAll(/(\\d)(\\d)/g)].length",
];

/** Makes the JavaScript guest of its compiled modules, in a worker thread. */
export async function loadJavascript(modules: Readonly<Record<string, WebAssembly.Module>>, grants: Grants = NO_GRANTS): Promise<Guest> {
  const runtime = modules[RUNTIME];
  const bindings = modules[BINDINGS];
  if (runtime === undefined || bindings === undefined) throw new BelljarError("ASSET_MISSING", "the JavaScript guest was not compiled");
  return createJavascript({ runtime, bindings }, decodeImage(openAsset(IMAGE)), grants);
}

/** The guest of two modules and the image that was made of them. */
export function createJavascript(modules: JavascriptModules, image: Image, grants: Grants = NO_GRANTS): Guest {
  const mounts = openMounts(grants);
  const base = createBaseLayer([], mounts.folders);
  return {
    imageFor: () => IMAGE_NAME,
    prepare: async (memoryBytes) => prepare({ modules, image, base, mounts, grants, variables: grants.env }, memoryBytes),
    warmUp: WARM_UP,
    interruptible: true,
  };
}

/** What all instances of a thread share. */
interface Shared {
  readonly modules: JavascriptModules;
  readonly image: Image;
  /** The read-only files: the devices, and the folders that are granted. */
  readonly base: BaseLayer;
  readonly mounts: Mounts;
  readonly grants: Grants;
  /** The variables that code may see. */
  readonly variables: Readonly<Record<string, string>>;
}

function prepare({ modules, image, base, mounts, variables, grants }: Shared, memoryBytes: number): GuestInstance {
  const maximum = Math.floor(memoryBytes / WASM_PAGE);
  const memory = new WebAssembly.Memory({ initial: image.pages, maximum });
  const host = idleHost();
  const core = instantiateJavascript(modules, memory, layoutOf(image.addresses), host);
  const words = createEngineWords(core, image.addresses);
  const workspace = createWorkspace(base);
  const budget = createFuelBudget();
  for (const meter of core.meters) budget.attach(meter);
  applyImage(image, memory, core.globals);
  const { record } = core;
  const state = { memory, globals: core.globals, workspace, record };
  let clockStart = performance.now();
  /** True until the first turn: a sandbox made ready ahead is not to tell how long it has waited for it. */
  let fresh = true;
  /** True once a turn has ended amid the engine's own work. */
  let broken = false;

  return {
    async turn(turn) {
      let json: string | undefined;
      let lastReport: string | undefined;
      let lastWords = "";
      if (broken) throw new BelljarError("GUEST_FAULT", "the sandbox lost its state when an earlier turn was stopped");
      // In the deadline's time; loaded with the first code, which the guest would take longer to read.
      const plan = await (await import("./javascript-source/ahead.ts")).planAhead(turn.code);
      const net = createNetDoor(turn.net, grants);
      const files = workspace.begin(turn.limits.fileBytes, turn.files);
      mounts.begin(turn.used ?? (() => {}));
      if (fresh) clockStart = performance.now();
      fresh = false;
      Object.assign(host, {
        ...clocks(clockStart),
        enter: words.enter,
        catchable: (text) => {
          words.catchable();
          lastReport = text;
        },
        write: (stream, bytes) => {
          turn.write(stream, bytes);
          budget.look();
        },
        wait: (ms) => {
          turn.wait(ms);
          budget.look();
          return words.rest();
        },
        full: () => isFull(memory, memoryBytes),
        file: (request, content) => fileRequest(files.tree, request, content, { variables, mostBytes: memoryBytes * FILE_SHARE }),
        net(request, content) {
          const { answer, content: bytes } = net.askText(request, content);
          budget.look();
          return { answer: JSON.stringify(words.rest() ? { stopped: true } : answer), content: bytes };
        },
        exit: exitWith,
        report: (text) => (json = text),
        lastWords: (text) => (lastWords = (lastWords + text).slice(0, LAST_WORDS)),
      } satisfies JavascriptHost);
      let wasInterrupted = false;
      budget.begin({
        limit: turn.limits.fuel,
        grace: UNWIND_FUEL,
        look: () => {
          if (budget.used() > MARKED_FUEL) record.lose();
          return turn.look();
        },
        // Once: another might come while the report is made.
        interrupt: () => {
          if (!wasInterrupted) words.interrupt();
          wasInterrupted = true;
        },
        onExhausted: turn.outOfFuel,
        leaving: () => {
          lastReport = undefined;
          words.interrupt();
        },
        ending: () => {
          words.rest();
          // An interrupt may have met the code where no line of it was on the stack.
          if (lastReport === undefined || !tellsPlace(lastReport)) askWhere(core);
        },
      });
      if (turn.reseed) words.reseed();
      try {
        core.turn(lowerText(core, turn.code), lowerText(core, plan), turn.kept, turn.dropPending === true);
        for (; json === undefined; budget.look()) core.next();
      } catch (error) {
        broken = true;
        record.lose();
        const stopped = budget.stopped();
        if (stopped !== undefined && lastReport === undefined) throw stopped;
        // The engine can't always unwind from an interrupt; what it was stopped by is known all the same.
        if ((stopped !== undefined || error instanceof WebAssembly.RuntimeError) && lastReport !== undefined) return readReport(lastReport);
        throw trapped(error, lastWords);
      } finally {
        budget.settle();
        mounts.end();
        words.rest();
        Object.assign(host, idleHost());
      }
      return readReport(json);
    },
    changes: workspace.changes,
    fuelUsed: budget.used,
    memoryBytes: () => memory.buffer.byteLength,
    nearlyFull: () => isNearlyFull(memory, memoryBytes),
    usable: () => !broken,
    wasInPending: words.inOldTimer,
    save: () => saveState(state, IMAGE_NAME, image, performance.now() - clockStart),
    load(saved, fileBytes) {
      broken = false;
      fresh = false;
      clockStart = performance.now() - clockOf(saved);
      return loadState(state, saved, image, image, fileBytes);
    },
    reset() {
      fresh = true;
      workspace.clear();
      if (!resetToImage(image, memory, core.globals, { image, record })) return false;
      broken = false;
      return true;
    },
    // Nothing is held outside the instance: its memory goes with the last reference to it.
    [Symbol.dispose]() {},
  };
}

function lowerText(core: JavascriptCore, text: string): ReturnType<typeof lowerBytes> {
  return lowerBytes(core, new TextEncoder().encode(text));
}

/** Whatever goes wrong, amid what it may be: then no place is told. */
function askWhere(core: JavascriptCore): void {
  try {
    core.where();
  } catch {
    // The engine is not to be used again anyway.
  }
}

function tellsPlace(json: string): boolean {
  try {
    return readReport(json).error?.line !== undefined;
  } catch {
    return false;
  }
}

/** The report is the guest's word: read with care, and refused when it is none. */
function readReport(json: string): Report {
  let report: unknown;
  try {
    report = JSON.parse(json);
  } catch (cause) {
    throw new BelljarError("GUEST_FAULT", sentences.badReport(), { cause });
  }
  const parsed = reportSchema.safeParse(report);
  if (!parsed.success) throw new BelljarError("GUEST_FAULT", sentences.badReport(), { cause: parsed.error });
  return parsed.data;
}

/** What an instance reaches between turns: nothing but the time. */
function idleHost(): JavascriptHost {
  const refuse = (): never => {
    throw new BelljarError("HALTED", "no turn is running");
  };
  return { ...clocks(performance.now()), enter: refuse, catchable: refuse, write: refuse, wait: refuse, full: refuse, file: refuse, net: refuse, exit: refuse, report: refuse, lastWords: () => {} };
}

/** The monotonic clock is zero at `start`, so that it tells nothing of the host's uptime. */
function clocks(start: number): Pick<JavascriptHost, "wallClockNs" | "monotonicNs"> {
  return {
    wallClockNs: () => BigInt(Date.now()) * 1_000_000n,
    monotonicNs: () => BigInt(Math.round((performance.now() - start) * 1_000_000)),
  };
}

function exitWith(code: number): never {
  throw new BelljarError("GUEST_EXIT", sentences.exit(code), { cause: code });
}

/** A trap becomes an error of ours, with what the guest last said; a stack that ran out, a stop and an exit stay what they are. */
function trapped(error: unknown, lastWords: string): unknown {
  if (!(error instanceof WebAssembly.RuntimeError)) return error;
  const said = lastWords.trim();
  return new BelljarError("GUEST_FAULT", said === "" ? error.message : `${error.message} (${said})`, { cause: error });
}

