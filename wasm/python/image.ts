import { captureImage, type Image } from "../../src/engine/image.ts";
import { createFuelBudget } from "../../src/engine/fuel.ts";
import { decodeFrame, encodeFrame } from "../../src/host/door.ts";
import type { BaseLayer } from "../../src/host/files/base-layer.ts";
import { createDescriptors } from "../../src/host/files/descriptors.ts";
import { createFileTree } from "../../src/host/files/tree.ts";
import { PYTHON_IMAGES, type PythonImage } from "../../src/guests/python-images.ts";
import { instantiatePython, type PythonHost } from "../../src/guests/python-core.ts";
import { REHEARSALS } from "./rehearsals.ts";

/** Heap that is grown and given back before an image is taken, so that most turns need not grow the memory. */
const HEAP_ROOM = 24 * 1_024 * 1_024;
/** The interpreter adapts what has run once, and some of it at a later run. */
const ROUNDS = 4;
/** The standard streams and the root take the numbers below. */
const FIRST_FREE_FD = 4;
const FILE_BYTES = 64 * 1_024 * 1_024;

export interface ImageInput {
  /** The metered module with its data segments, its memory imported. */
  readonly module: WebAssembly.Module;
  /** Pages that the module declares as the least size of its memory. */
  readonly memoryPages: number;
  /** The files that every sandbox sees. */
  readonly files: BaseLayer;
  /** Source that loads the prelude and tells `ready` through the door. */
  readonly loader: string;
}

/**
 * The images made at build time, each on the one before: the interpreter with the prelude, then what
 * `PYTHON_IMAGES` says is imported.
 */
export function makePythonImages({ module, memoryPages, files, loader }: ImageInput): Map<PythonImage, Image> {
  const memory = new WebAssembly.Memory({ initial: memoryPages, maximum: 65_536 });
  const tree = createFileTree({ base: files, fileBytes: FILE_BYTES, now: () => 0n });
  const descriptors = createDescriptors(tree);
  let turn = 0;
  let where = 0;
  let code = "";
  const output: string[] = [];
  const host: PythonHost = {
    files: descriptors,
    write: (_, bytes) => output.push(new TextDecoder().decode(bytes)),
    wait: () => {},
    look: () => {},
    clockStart: performance.now(),
    door(message) {
      const { header } = decodeFrame(message, { maxHeader: 1_048_576, maxPayload: 1_048_576 });
      if (header["op"] === "ready") [turn, where] = [Number(header["turn"]), Number(header["where"])];
      return encodeFrame({}, new TextEncoder().encode(header["op"] === "turn" ? code : ""));
    },
  };
  const core = instantiatePython(module, memory, host);
  const budget = createFuelBudget();
  budget.attach(core.meter);
  budget.begin({
    limit: Number.MAX_SAFE_INTEGER,
    grace: 0,
    look: () => "continue",
    interrupt: () => {},
    onExhausted: () => {},
  });
  const images = new Map<PythonImage, Image>();
  let last: Image | undefined;
  try {
    core.initialize();
    core.execute('import os; os.chdir("/work"); del os');
    core.execute(loader);
    for (const { name, imports } of PYTHON_IMAGES) {
      core.execute(imports);
      for (let round = 0; round < ROUNDS; round += 1) {
        for (code of REHEARSALS[name]) core.call(turn);
      }
      core.execute(settle());
      checkDescriptors(descriptors);
      last = captureImage(memory, core.globals, { turn, where }, last);
      images.set(name, last);
    }
  } catch (cause) {
    throw new Error(`the Python images could not be made: ${output.join("")}`, { cause });
  }
  if (turn === 0) throw new Error(`the prelude did not tell that it is ready: ${output.join("")}`);
  return images;
}

/** What the guest does last: takes back the state of its turns, notes its modules, collects garbage, and leaves room in its heap. */
function settle(): string {
  return `__import__("_host").rest(); import gc; gc.collect(); gc.freeze(); room = bytearray(${HEAP_ROOM}); del room, gc`;
}

/** A descriptor that is open in an image would be missing in every sandbox made from it. */
function checkDescriptors(descriptors: ReturnType<typeof createDescriptors>): void {
  const open = [...descriptors.entries()].map(([fd]) => fd).filter((fd) => fd >= FIRST_FREE_FD);
  if (open.length > 0) throw new Error(`the image would hold open files: ${open.join(", ")}`);
}
