import { BelljarError } from "../../src/base/errors.ts";
import type { Verdict } from "../../src/engine/fuel.ts";
import { applyImage, type Image } from "../../src/engine/image.ts";
import { createJavascript } from "../../src/guests/javascript.ts";
import type { JavascriptModules } from "../../src/guests/javascript-core.ts";
import type { Report } from "../../src/policy/outcome.ts";

/** Below this the engine's own check of its stack strikes: room for what recurses without a check. */
const STACK_GUARD = 524_288;
/** Few enough frames for the host's own stack, wherever the build runs. */
const PROBE_STACK = 65_536;
/** What prelude/cells.ts fills its cells with. */
const CELL_MARKS = [1_583_465_182n, 912_837_465n, 1_029_384_756n, 847_362_514n] as const;
/** A yield at which the code certainly runs, and is not still being parsed. */
const LATE_LOOK = 20;
const MEMORY_BYTES = 64 * 1_048_576;

/** Where QuickJS keeps what its interface does not reach. */
export interface FoundWords {
  /** `JSContext.random_state`, of 64 bits. */
  readonly randomState: number;
  /** `JSRuntime.stack_limit`. */
  readonly stackLimit: number;
  /** The value for it. */
  readonly stackFloor: number;
  /** `JSRuntime.interrupt_handler`. */
  readonly interruptHandler: number;
  /** `JSRuntime.host_promise_rejection_tracker`. */
  readonly rejectionTracker: number;
  /** The items of the prelude's array (cells.ts). */
  readonly cells: number;
}

/**
 * Finds the engine's words by what they do, so that another build of it can't be misread in silence.
 * @throws BelljarError BAD_MODULE when one is not found exactly once.
 */
export async function findEngineWords(modules: JavascriptModules, image: Image): Promise<FoundWords> {
  const before = new WebAssembly.Memory({ initial: image.pages });
  applyImage(image, before, new Map([...image.globals.keys()].map((name) => [name, new WebAssembly.Global({ value: "i32", mutable: true }, 0)])));
  const view = new DataView(before.buffer);
  const stackBottom = image.addresses["stackBottom"] ?? 0;
  const stackFloor = stackBottom + STACK_GUARD;

  // Unknown words point at the unused end of the stack, where a write does no harm.
  const blank = { randomState: stackBottom, stackLimit: stackBottom + 8, stackFloor: 0, cells: stackBottom + 16 };
  const first = await run(modules, { ...image, addresses: { ...image.addresses, ...blank } }, "Math.random()");
  const randomState = findRandomState(view, first.result);

  const known = { ...blank, randomState, stackFloor };
  const overflow = "(() => { let n = 0; const f = () => { n += 1; f(); }; try { f() } catch (error) { return [error.name, n] } })()";
  let stackLimit: number | undefined;
  for (const candidate of runtimeCandidates(view)) {
    const words = { ...known, stackFloor: Number(image.globals.get("__stack_pointer")) - PROBE_STACK, stackLimit: candidate };
    const report = await run(modules, { ...image, addresses: { ...image.addresses, ...words } }, overflow).catch(() => undefined);
    // Only the engine's own check gives an error that code can catch; else the host's stack runs out.
    if (report?.repr?.startsWith("[ 'RangeError'") === true) stackLimit ??= candidate;
    if (stackLimit !== undefined) break;
  }
  if (stackLimit === undefined) throw new BelljarError("BAD_MODULE", "stack_limit was not found");
  // current_exception is a value of 8 bytes, then come three flags, current_stack_frame, and the handler.
  const interruptHandler = Math.ceil((stackLimit + 4) / 8) * 8 + 16;
  // After it: its opaque pointer, the promise hook and its own, parent_promise, and the tracker.
  const rejectionTracker = interruptHandler + 20;
  for (const word of [interruptHandler, rejectionTracker]) {
    if (view.getUint32(word, true) !== 0) throw new BelljarError("BAD_MODULE", "a handler of the engine is taken");
  }
  return { randomState, stackLimit, stackFloor, interruptHandler, rejectionTracker, cells: findCells(view) };
}

/** Proves the words that could not be found by what they do, on the finished image. */
export async function proveEngineWords(modules: JavascriptModules, image: Image): Promise<void> {
  let looks = 0;
  const caught = await run(modules, image, "let n = 0; try { for (;;) n += 1 } catch (error) { String(error) }", () => {
    looks += 1;
    return looks === LATE_LOOK ? "interrupt" : "continue";
  });
  if (caught.result !== "InternalError: interrupted") throw new BelljarError("BAD_MODULE", "an interrupt does not arrive");
  const rejected = await run(modules, image, "Promise.reject(new TypeError('unseen')); 1");
  if (rejected.error?.type !== "TypeError") throw new BelljarError("BAD_MODULE", "a rejected promise is not told");
  const handled = await run(modules, image, "const p = Promise.reject(1); p.catch(() => {}); 1");
  if (handled.status !== "ok") throw new BelljarError("BAD_MODULE", "a handled rejection is told");
}

/** Small integers lie in memory as themselves, one to 8 bytes. */
function findCells(view: DataView): number {
  const found: number[] = [];
  for (let at = 1_048_576; at + CELL_MARKS.length * 8 <= view.byteLength; at += 8) {
    if (CELL_MARKS.every((mark, index) => view.getBigUint64(at + index * 8, true) === mark)) found.push(at);
  }
  const [address] = found;
  if (found.length !== 1 || address === undefined) throw new BelljarError("BAD_MODULE", `cells: ${found.length} candidates`);
  return address;
}

/** Where `stack_limit` may be: zero, after a `stack_size` of zero and a `stack_top` in the linker's stack. */
function* runtimeCandidates(view: DataView): Generator<number> {
  for (let at = 1_048_576; at + 12 < view.byteLength; at += 4) {
    const top = view.getUint32(at + 4, true);
    if (top > 900_000 && top < 1_048_576 && view.getUint32(at, true) === 0 && view.getUint32(at + 8, true) === 0) yield at + 8;
  }
}

/** The word from which xorshift64* makes the number that came next. */
function findRandomState(view: DataView, value: unknown): number {
  const found: number[] = [];
  for (let at = 1_048_576; at + 8 <= view.byteLength; at += 8) {
    const state = view.getBigUint64(at, true);
    if (state !== 0n && nextRandom(state) === value) found.push(at);
  }
  const [address] = found;
  if (found.length !== 1 || address === undefined) throw new BelljarError("BAD_MODULE", `random_state: ${found.length} candidates`);
  return address;
}

function nextRandom(state: bigint): number {
  let x = state;
  x ^= x >> 12n;
  x = BigInt.asUintN(64, x ^ (x << 25n));
  x ^= x >> 27n;
  const bits = BigInt.asUintN(64, x * 0x2545f4914f6cdd1dn) >> 12n;
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, (0x3ffn << 52n) | bits);
  return view.getFloat64(0) - 1;
}

async function run(modules: JavascriptModules, image: Image, code: string, look: () => Verdict = () => "continue"): Promise<Report> {
  const instance = await createJavascript(modules, image).prepare(MEMORY_BYTES, "javascript");
  return instance.turn({
    code,
    limits: { wallTimeMs: 10_000, fuel: 1e10, memoryBytes: MEMORY_BYTES, outputBytes: 65_536, fileBytes: 65_536 },
    files: [],
    reseed: true,
    kept: false,
    write: () => {},
    picture: () => {},
    look,
    outOfFuel: () => {},
    wait: () => {},
  });
}
