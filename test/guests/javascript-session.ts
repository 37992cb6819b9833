import { compileAsset } from "../../src/engine/module.ts";
import type { Verdict } from "../../src/engine/fuel.ts";
import type { GuestInstance } from "../../src/guests/guest.ts";
import { loadJavascript } from "../../src/guests/javascript.ts";
import { JAVASCRIPT_MODULES } from "../../src/guests/modules.ts";
import { isBelljarError } from "../../src/base/errors.ts";
import type { Report } from "../../src/policy/outcome.ts";

/** A turn as its user sees it. */
export interface Run extends Partial<Report> {
  readonly stdout: string;
  readonly stderr: string;
  readonly fuel: number;
  /** The code of what was thrown instead of a report; the exit code beside GUEST_EXIT. */
  readonly thrown?: string;
  readonly exitCode?: unknown;
}

export interface RunOptions {
  readonly fuel?: number;
  /** Milliseconds after which the turn is interrupted; it is thrown out as many later. */
  readonly deadlineMs?: number;
  readonly fileBytes?: number;
  /** True when timers are to stay for a next run. */
  readonly kept?: boolean;
}

export interface Session {
  readonly instance: GuestInstance;
  run(code: string, options?: RunOptions): Promise<Run>;
}

const MIB = 1_048_576;
const modules = await Promise.all(JAVASCRIPT_MODULES.map(async (name) => [name, await compileAsset(name)] as const));
const guest = await loadJavascript(Object.fromEntries(modules));

/** An instance of the real guest in this thread; each `run` is a turn in it. */
export async function openSession(memoryMb = 128): Promise<Session> {
  const instance = await guest.prepare(memoryMb * MIB, guest.imageFor("", memoryMb * MIB));
  return { instance, run: (code, options) => runTurn(instance, memoryMb, code, options) };
}

/** One turn in an instance of its own. */
export async function run(code: string, options?: RunOptions): Promise<Run> {
  return (await openSession()).run(code, options);
}

async function runTurn(instance: GuestInstance, memoryMb: number, code: string, options: RunOptions = {}): Promise<Run> {
  const { fuel = 1e11, deadlineMs = 20_000, fileBytes = MIB } = options;
  const text = { stdout: "", stderr: "" };
  const start = performance.now();
  let interrupted = false;
  const look = (): Verdict => {
    const elapsed = performance.now() - start;
    if (elapsed < deadlineMs) return "continue";
    if (elapsed > deadlineMs * 2) return "halt";
    if (interrupted) return "continue";
    interrupted = true;
    return "interrupt";
  };
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  try {
    const report = await instance.turn({
      code,
      limits: { wallTimeMs: deadlineMs, fuel, memoryBytes: memoryMb * MIB, outputBytes: 65_536, fileBytes },
      files: [],
      reseed: true,
      kept: options.kept ?? false,
      write: (stream, bytes) => (text[stream] += new TextDecoder().decode(bytes)),
      picture: () => {},
      look,
      outOfFuel: () => {},
      wait: (ms) => void Atomics.wait(sleeper, 0, 0, Math.max(0, Math.min(ms, start + deadlineMs - performance.now()))),
    });
    return { ...report, ...text, fuel: instance.fuelUsed() };
  } catch (error) {
    if (!isBelljarError(error)) return { ...text, fuel: instance.fuelUsed(), thrown: error instanceof Error ? error.name : "?" };
    return { ...text, fuel: instance.fuelUsed(), thrown: error.code, ...(error.code === "GUEST_EXIT" ? { exitCode: error.cause } : {}) };
  }
}
