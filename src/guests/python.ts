import { BelljarError } from "../base/errors.ts";
import { copyAsset } from "../engine/assets.ts";
import { createFuelBudget } from "../engine/fuel.ts";
import { fillMemory, type Image, restoreGlobals, WASM_PAGE } from "../engine/image.ts";
import { resetToImage } from "../engine/restore.ts";
import type { BaseLayer } from "../host/files/base-layer.ts";
import { emptyDescriptors } from "../host/files/descriptors.ts";
import { emptyTree } from "../host/files/tree.ts";
import { createNetDoor } from "../host/net/net-door.ts";
import { createWorkspace } from "../host/files/workspace.ts";
import { openMounts } from "../host/mounts/mounts.ts";
import { type Grants, NO_GRANTS } from "../policy/grants.ts";
import { isNearlyFull } from "./ceiling.ts";
import { doorAnswers, type DoorTurn } from "./door-answers.ts";
import type { Guest, GuestInstance } from "./guest.ts";
import { type GuestModules, PYTHON_MODULE, type Rooms } from "./modules.ts";
import { instantiatePython, type PythonCore, type PythonHost } from "./python-core.ts";
import { imageFor, imageReader } from "./python-images.ts";
import { clockOf, loadState, saveState } from "./rest.ts";
import { pythonFiles } from "./python-files.ts";

/** Instructions for the traceback, once a turn has used up its fuel. */
const UNWIND_FUEL = 400_000_000;

/** Each has a value, output or a failure to tell. */
const WARM_UP = [
  "1 + 1",
  "words = {'a': [1, 2.5, None], 'b': {'c': 'd' * 3}}\nprint(words, sum(range(100)))\nwords",
  "def f(x):\n    return x / 0\nf(1)",
];

/** What a thread makes the guest of. */
export interface PythonParts {
  readonly modules: GuestModules | Promise<GuestModules>;
  readonly rooms: Rooms;
  /** What the memory of the first sandbox may grow to, when it is to be filled while the modules are on their way. */
  readonly memoryBytes?: number | undefined;
}

/** A memory that holds an image, for an instance to come. */
interface Filled {
  readonly memory: WebAssembly.Memory;
  readonly memoryBytes: number;
  readonly image: Image;
}

/** Makes the Python guest of what its threads share, in a worker thread; images are views of the assets. */
export async function loadPython({ modules, rooms, memoryBytes: firstBytes }: PythonParts, grants: Grants = NO_GRANTS): Promise<Guest> {
  const mounts = openMounts(grants);
  const base = pythonFiles(mounts.folders);
  const packages = grants.packages && {
    path: grants.packages.path,
    refused: Object.fromEntries(grants.packages.refused.map(({ name, reason }) => [name, reason])),
  };
  const imageOf = imageReader(rooms);
  let ahead = firstBytes === undefined ? undefined : fill(imageOf(imageFor("", () => true)), firstBytes);
  const module = (await modules)[PYTHON_MODULE];
  if (module === undefined) throw new BelljarError("ASSET_MISSING", "python.wasm was not compiled");

  /** The memory that was filled ahead when it fits, which is used once, else one that is filled now. */
  const filled = (image: Image, memoryBytes: number): Filled => {
    const own = ahead?.image === image && ahead.memoryBytes === memoryBytes ? ahead : fill(image, memoryBytes);
    ahead = undefined;
    return own;
  };

  const prepare = (memoryBytes: number, imageName: string): GuestInstance => {
    let name = imageName;
    let image = imageOf(name);
    let broken = false;
    /** True until the first turn: a sandbox made ready ahead is not to tell how long it has waited for it. */
    let fresh = true;
    const { memory } = filled(image, memoryBytes);
    const host = idleHost(base);
    const idle = (): void => void Object.assign(host, idleHost(base), { clockStart: host.clockStart });
    const core = instantiatePython(module, memory, host);
    const workspace = createWorkspace(base);
    const budget = createFuelBudget();
    budget.attach(core.meter);
    const state = { memory, globals: core.globals, workspace, record: core.record };
    restoreGlobals(image, core.globals);

    return {
      async turn(turn) {
        const door: DoorTurn = { code: turn.code, reseed: turn.reseed, fileBytes: turn.limits.fileBytes, picture: turn.picture, net: createNetDoor(turn.net, grants), variables: grants.env, packages };
        const answers = doorAnswers(door);
        if (fresh) host.clockStart = performance.now();
        fresh = false;
        mounts.begin(turn.used ?? (() => {}));
        Object.assign(host, {
          files: workspace.begin(turn.limits.fileBytes, turn.files),
          write: turn.write,
          wait: turn.wait,
          door: answers.answer,
          look: budget.look,
        } satisfies Partial<PythonHost>);
        budget.begin({
          limit: turn.limits.fuel,
          grace: UNWIND_FUEL,
          look: turn.look,
          interrupt: core.interrupt,
          onExhausted: turn.outOfFuel,
          ending: () => askWhere(core, image.addresses["where"] ?? 0),
        });
        try {
          core.call(image.addresses["turn"] ?? 0);
        } catch (error) {
          broken = true;
          core.record.lose();
          const stopped = budget.stopped();
          if (stopped !== undefined && answers.hasReport()) return answers.report();
          throw stopped ?? trapped(error);
        } finally {
          budget.settle();
          mounts.end();
          idle();
        }
        return answers.report();
      },
      changes: workspace.changes,
      fuelUsed: budget.used,
      memoryBytes: () => memory.buffer.byteLength,
      nearlyFull: () => isNearlyFull(memory, memoryBytes),
      usable: () => !broken,
      // Tasks of earlier turns only run while code awaits something, which it can leave.
      wasInPending: () => false,
      save: () => saveState(state, name, image, performance.now() - host.clockStart),
      load(saved, fileBytes) {
        broken = false;
        fresh = false;
        const before = image;
        name = saved.image;
        image = imageOf(name);
        host.clockStart = performance.now() - clockOf(saved);
        return loadState(state, saved, image, before, fileBytes);
      },
      reset(to) {
        broken = false;
        fresh = true;
        const before = image;
        name = to;
        image = imageOf(to);
        workspace.clear();
        return resetToImage(image, memory, core.globals, { image: before, record: core.record });
      },
      // Nothing is held outside the instance: its memory goes with the last reference to it.
      [Symbol.dispose]() {},
    };
  };

  return {
    imageFor: (code, memoryBytes, kept) => imageFor(code, (each) => imageOf(each).pages * WASM_PAGE <= memoryBytes, kept),
    prepare: async (memoryBytes, image) => prepare(memoryBytes, image),
    warmUp: WARM_UP,
    interruptible: true,
  };
}

/** @throws RangeError when not even the image fits. */
function fill(image: Image, memoryBytes: number): Filled {
  const memory = new WebAssembly.Memory({ initial: image.pages, maximum: Math.floor(memoryBytes / WASM_PAGE) });
  fillMemory(image, memory, copyAsset);
  return { memory, memoryBytes, image };
}

/**
 * Lets the prelude report where the code is, which is about to be ended. Whatever goes wrong, amid what it
 * may be: an interrupt that is still due takes one call, and perhaps a handler of the code's own another.
 */
function askWhere(core: PythonCore, where: number): void {
  for (let left = 3; left > 0; left -= 1) {
    try {
      core.seize();
      return core.call(where);
    } catch {
      // The next call may get through.
    }
  }
}

/** What an instance reaches between turns: nothing. */
function idleHost(base: BaseLayer): PythonHost {
  const refuse = (): never => {
    throw new BelljarError("HALTED", "no turn is running");
  };
  return { files: emptyDescriptors(emptyTree({ base, fileBytes: 0, now: () => 0n })), write: refuse, wait: refuse, door: refuse, look: refuse, clockStart: performance.now() };
}

/** A trap becomes an error of ours; a stack that ran out, a stop and an exit stay what they are. */
function trapped(error: unknown): unknown {
  if (!(error instanceof WebAssembly.RuntimeError)) return error;
  return new BelljarError("GUEST_FAULT", error.message, { cause: error });
}

