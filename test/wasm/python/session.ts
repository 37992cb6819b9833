import { loadGuest } from "../../../src/guests/load.ts";
import { compileGuest } from "../../../src/guests/modules.ts";
import { NO_GRANTS } from "../../../src/policy/grants.ts";
import type { Guest, GuestInstance } from "../../../src/guests/guest.ts";
import type { Picture, Report } from "../../../src/policy/outcome.ts";

/** What a turn told, printed and drew. */
export interface Told extends Report {
  readonly stdout: string;
  readonly stderr: string;
  readonly pictures: readonly Picture[];
}

/** Runs turns in one sandbox, one after the other. */
export interface Session extends Disposable {
  /** Runs a turn; at the deadline (ms) it is interrupted once. */
  run(code: string, deadlineMs?: number): Promise<Told>;
}

const MEMORY = 512 * 1_024 * 1_024;
const FUEL = Number.MAX_SAFE_INTEGER;
const FILE_BYTES = 16 * 1_024 * 1_024;

let loading: Promise<Guest> | undefined;
let idle: GuestInstance | undefined;

async function python(): Promise<Guest> {
  loading ??= loadGuest("python", compileGuest("python"), NO_GRANTS);
  return loading;
}

/** A sandbox of the built Python guest, in this thread; its instance goes back to the image when it is disposed. */
export async function openSession(code = ""): Promise<Session> {
  const guest = await python();
  const image = guest.imageFor(code, MEMORY);
  const instance = idle ?? (await guest.prepare(MEMORY, image));
  const fits = idle === undefined || instance.reset(image);
  idle = undefined;
  const usable = fits ? instance : await guest.prepare(MEMORY, image);
  let broken = false;
  return {
    async run(text, deadlineMs = Number.POSITIVE_INFINITY) {
      const turn = createTurn(deadlineMs);
      try {
        const report = await usable.turn({
          code: text,
          limits: { wallTimeMs: 60_000, fuel: FUEL, memoryBytes: MEMORY, outputBytes: 1_000_000, fileBytes: FILE_BYTES },
          files: [],
      reseed: true,
      kept: false,
          ...turn.callbacks,
        });
        return { ...report, ...turn.output() };
      } catch (error) {
        broken = true;
        throw error;
      }
    },
    [Symbol.dispose]() {
      if (!broken) idle = usable;
    },
  };
}

function createTurn(deadlineMs: number) {
  const end = performance.now() + deadlineMs;
  const text = { stdout: "", stderr: "" };
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  const pictures: Picture[] = [];
  let told = false;
  const ended = () => !told && performance.now() >= end;
  return {
    output: () => ({ ...text, pictures }),
    callbacks: {
      write(stream: "stdout" | "stderr", bytes: Uint8Array) {
        text[stream] += decoders[stream].decode(bytes, { stream: true });
      },
      picture: (picture: Picture) => void pictures.push(picture),
      look() {
        if (!ended()) return "continue" as const;
        told = true;
        return "interrupt" as const;
      },
      outOfFuel() {},
      wait(ms: number) {
        const rest = Math.min(ms, Math.max(0, end - performance.now()));
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, rest);
      },
    },
  };
}
