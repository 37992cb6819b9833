import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client as ModernClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernTransport } from "@modelcontextprotocol/client/stdio";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { z } from "zod";
import { outcomeSchema, type Outcome } from "../../src/policy/outcome.ts";

const ROOT = resolve(import.meta.dirname, "../..");

/** The command under test: the packed binary, or BELLJAR_E2E_COMMAND, whose words that are files are taken from the checkout. */
export const COMMAND: readonly string[] = (process.env["BELLJAR_E2E_COMMAND"] ?? "dist/belljar")
  .split(" ")
  .map((word) => (existsSync(resolve(ROOT, word)) ? resolve(ROOT, word) : word));

/** True when the command is a Deno that runs the bundle: its engine lives in the server's process. */
export const ON_DENO = /deno/.test(COMMAND[0] ?? "");

const resultSchema = z.object({
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional(), data: z.string().optional() })),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
});

const resourceSchema = z.object({ contents: z.array(z.looseObject({ text: z.string().optional(), blob: z.string().optional() })) });

/** What a tool answered. */
export interface Answer {
  readonly isError: boolean;
  readonly text: string;
  readonly structured: unknown;
  readonly images: readonly string[];
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { readonly progress: number; readonly message?: string | undefined }) => void;
}

/** A client with a server of its own. */
export interface Connection extends AsyncDisposable {
  readonly pid: number;
  readonly call: (tool: string, args: Record<string, unknown>, options?: CallOptions) => Promise<Answer>;
  /** Calls an execute tool and reads its outcome. */
  readonly run: (language: "python" | "javascript", code: string, args?: Record<string, unknown>) => Promise<Outcome>;
  readonly tools: () => Promise<readonly string[]>;
  /** The last of what the server has written to standard error. */
  readonly stderr: () => string;
  /** The bytes of a resource, text encoded as UTF-8. */
  readonly read: (uri: string) => Promise<Buffer>;
}

/** An empty folder to start in, and nothing in the environment but what is given. */
function sealed(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): { command: string; args: string[]; cwd: string; stderr: "pipe" } {
  const cwd = mkdtempSync(join(tmpdir(), "belljar-e2e-"));
  return { command: "env", args: ["-i", ...Object.entries(env).map(([key, value]) => `${key}=${value}`), ...COMMAND, ...args], cwd, stderr: "pipe" };
}

/** Connects with the client of version 1 of the SDK, as today's clients do. */
export async function connect(args: readonly string[] = [], name = "e2e", env: Readonly<Record<string, string>> = {}): Promise<Connection> {
  const transport = new StdioClientTransport(sealed(args, env));
  let stderr = "";
  transport.stderr?.on("data", (bytes) => (stderr = (stderr + String(bytes)).slice(-100_000)));
  const client = new Client({ name, version: "1" });
  await client.connect(transport);
  return connection(
    transport.pid ?? 0,
    async (tool, given, { signal, onProgress } = {}) =>
      client.callTool({ name: tool, arguments: given }, undefined, {
        timeout: 120_000,
        ...(signal && { signal }),
        ...(onProgress && { onprogress: onProgress }),
      }),
    async () => (await client.listTools()).tools.map(({ name: tool }) => tool),
    (uri) => client.readResource({ uri }),
    () => client.close(),
    () => stderr,
  );
}

/** Connects with the client of version 2 of the SDK, in the newest revision of the protocol. */
export async function connectModern(args: readonly string[] = [], name = "e2e"): Promise<Connection> {
  const transport = new ModernTransport(sealed(args));
  let stderr = "";
  transport.stderr?.on("data", (bytes) => (stderr = (stderr + String(bytes)).slice(-100_000)));
  const client = new ModernClient({ name, version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  await client.connect(transport);
  return connection(
    transport.pid ?? 0,
    async (tool, given, { signal, onProgress } = {}) =>
      client.callTool(
        { name: tool, arguments: given },
        { timeout: 120_000, ...(signal && { signal }), ...(onProgress && { onprogress: onProgress }) },
      ),
    async () => (await client.listTools()).tools.map(({ name: tool }) => tool),
    (uri) => client.readResource({ uri }),
    () => client.close(),
    () => stderr,
  );
}

function connection(
  pid: number,
  callTool: (tool: string, args: Record<string, unknown>, options?: CallOptions) => Promise<unknown>,
  tools: () => Promise<string[]>,
  readResource: (uri: string) => Promise<unknown>,
  close: () => Promise<void>,
  stderr: () => string,
): Connection {
  const call: Connection["call"] = async (tool, args, options) => {
    const { content, structuredContent, isError } = resultSchema.parse(await callTool(tool, args, options));
    return {
      isError: isError ?? false,
      text: content.flatMap(({ text }) => text ?? []).join("\n"),
      structured: structuredContent,
      images: content.flatMap(({ data }) => data ?? []),
    };
  };
  return {
    pid,
    call,
    run: async (language, code, args = {}) => {
      const answer = await call(`execute_${language}`, { code, ...args });
      const parsed = outcomeSchema.safeParse(answer.structured);
      if (!parsed.success) throw new Error(`no outcome: ${answer.text}`);
      if (answer.isError !== (parsed.data.status !== "ok")) throw new Error(`isError is ${String(answer.isError)}`);
      return parsed.data;
    },
    tools,
    stderr,
    read: async (uri) => {
      const [content] = resourceSchema.parse(await readResource(uri)).contents;
      return content?.text === undefined ? Buffer.from(content?.blob ?? "", "base64") : Buffer.from(content.text);
    },
    [Symbol.asyncDispose]: close,
  };
}

/** A server without a client: the test writes and reads its lines. */
export interface RawServer extends AsyncDisposable {
  readonly child: ChildProcessWithoutNullStreams;
  /** All of standard output so far. */
  readonly output: () => string;
  readonly send: (message: object) => void;
  /** Sends a request after the handshake and resolves with the response's line. */
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Resolves with the response of that id, as JSON. */
  readonly response: (id: number | null) => Promise<unknown>;
}

/** Starts the command with pipes, and does the handshake unless told otherwise. */
export function startRaw(args: readonly string[] = [], handshake = true): RawServer {
  const { command, args: all, cwd } = sealed(args);
  const child = spawn(command, all, { cwd, stdio: "pipe" });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  child.stderr.resume();
  child.stdin.on("error", () => {});
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  if (handshake) {
    const clientInfo = { name: "raw", version: "1" };
    send({ id: 0, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } });
    send({ method: "notifications/initialized" });
  }
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((done) => {
    child.on("exit", (code, signal) => done({ code, signal }));
  });
  return {
    child,
    output: () => output,
    send,
    exited,
    response: async (id) => {
      for (;;) {
        const whole = output.slice(0, output.lastIndexOf("\n"));
        for (const line of whole === "" ? [] : whole.split("\n")) {
          const message: unknown = JSON.parse(line);
          if (Object(message).id === id && !("method" in Object(message))) return message;
        }
        if (child.exitCode !== null) throw new Error(`ended before it answered ${String(id)}`);
        await sleep(5);
      }
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** Runs the command to its end. */
export async function runCommand(
  args: readonly string[],
  stdin = "",
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const { command, args: all, cwd } = sealed(args);
  const child = spawn(command, all, { cwd, stdio: "pipe" });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdin.on("error", () => {});
  child.stdin.end(stdin);
  const code = await new Promise<number | null>((done) => child.on("close", done));
  return { code, stdout, stderr };
}

/** The processes that a process has started, and theirs (Linux). */
export function descendants(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, "utf8");
      const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (state !== "Z") parents.set(Number(entry), Number(parent));
    } catch {
      // It ended while the folder was read.
    }
  }
  const found: number[] = [];
  const walk = (id: number): void => {
    for (const [child, parent] of parents) {
      if (parent !== id) continue;
      found.push(child);
      walk(child);
    }
  };
  walk(pid);
  return found;
}

/** True while a process runs and is no zombie. */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, "utf8");
    return stat[stat.lastIndexOf(")") + 2] !== "Z";
  } catch {
    return false;
  }
}

/** Resolves when none of these processes is alive; rejects after that many milliseconds. */
export async function allGone(pids: readonly number[], withinMs: number): Promise<void> {
  const until = performance.now() + withinMs;
  for (;;) {
    const left = pids.filter(isAlive);
    if (left.length === 0) return;
    if (performance.now() > until) throw new Error(`still alive after ${String(withinMs)} ms: ${left.join(", ")}`);
    await sleep(20);
  }
}
