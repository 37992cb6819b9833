import { on, once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { BUDGET_NAMES, setBudget, setGuestFlags } from "../src/engine/v8-flags.ts";
import { compileGuest } from "../src/guests/modules.ts";
import { NO_GRANTS } from "../src/policy/grants.ts";
import { LANGUAGES, type Limits } from "../src/policy/limits.ts";
import { THREAD_SCRIPT, threadCode } from "../src/sandbox/worker-entry.ts";
import type { FromWorker, ToWorker } from "../src/sandbox/worker-messages.ts";
import { DIST, STAGE } from "./paths.ts";
import { BuildError, tell } from "./step.ts";

/** What most calls come to: a value, output, a failure. */
const TURNS = {
  javascript: ["1 + 1", "console.log({ a: [1] });\nconst f = (x: number) => x.y.z;\nf(1)"],
  python: ["1 + 1", "print([1, None])\n1 / 0"],
} as const;
const MIB = 1_048_576;
const LIMITS: Limits = { wallTimeMs: 10_000, fuel: 1_000_000_000, memoryBytes: 256 * MIB, outputBytes: MIB, fileBytes: MIB };

/** Runs the script as the packed binary does, and gives what V8 has made of it when it is asked to. */
const ENTRY = `const { Script } = require("node:vm");
const { readFileSync } = require("node:fs");
const { script: path, program, port } = require("node:worker_threads").workerData;
const script = new Script(readFileSync(path, "utf8"), { filename: "${THREAD_SCRIPT}" });
script.runInThisContext()(require, program);
port.on("message", () => port.postMessage(new Uint8Array(script.createCachedData())));`;

/** Loaded into a process that started from the program's snapshot, as all threads of the binary do. */
void makeCode().then(
  () => process.exit(0),
  (error: unknown) => {
    tell(String(error));
    process.exit(1);
  },
);

/** One thread for each budget runs both languages, and leaves its code in the stage. */
async function makeCode(): Promise<void> {
  setGuestFlags();
  const parts = { javascript: compileGuest("javascript"), python: compileGuest("python") };
  const modules = { ...(await parts.javascript.modules), ...(await parts.python.modules) };
  for (const budget of BUDGET_NAMES) {
    setBudget(budget);
    const { port1, port2: port } = new MessageChannel();
    const workerData = { script: join(STAGE, THREAD_SCRIPT), program: join(DIST, "worker.cjs"), port };
    const worker = new Worker(ENTRY, { eval: true, execArgv: ["--input-type=commonjs"], workerData, transferList: [port] });
    for (const language of LANGUAGES) {
      send(worker, { kind: "load", language, rooms: await parts[language].rooms, first: true, memoryBytes: LIMITS.memoryBytes, grants: NO_GRANTS });
      send(worker, { kind: "modules", modules });
      await told(worker, "ready");
      for (const code of TURNS[language]) {
        send(worker, { kind: "run", code, limits: LIMITS, files: [], flag: new SharedArrayBuffer(8), progress: false, profile: false });
        await told(worker, "clean");
      }
    }
    writeFileSync(join(STAGE, threadCode(budget)), await codeFrom(port1));
    await worker.terminate();
  }
}

function send(worker: Worker, message: ToWorker): void {
  worker.postMessage(message);
}

async function told(worker: Worker, kind: FromWorker["kind"]): Promise<void> {
  for await (const [message] of on(worker, "message")) if (message.kind === kind) return;
}

async function codeFrom(port: MessagePort): Promise<Uint8Array> {
  port.postMessage("");
  const [code]: unknown[] = await once(port, "message");
  port.close();
  if (!(code instanceof Uint8Array)) throw new BuildError("V8 gave no code of the threads' script.");
  return code;
}
