// Capsule's worker behind an MCP server of two tools, as slight as the SDK allows: a call's code goes to the worker, its result back.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const [, , command = "", sandboxes = ""] = process.argv;
const FILES: Readonly<Record<string, string>> = {
  execute_python: join(sandboxes, "python_sandbox.wasm"),
  execute_javascript: join(sandboxes, "js_sandbox.wasm"),
};

// It keeps what it compiles in the folder that it runs in.
const worker = spawn(command, ["worker"], { stdio: ["pipe", "pipe", "ignore"] });
worker.on("exit", () => process.exit(1));
const waiting = new Map<string, (answer: unknown) => void>();
createInterface({ input: worker.stdout }).on("line", (line) => {
  const answer = Object(JSON.parse(line));
  waiting.get(answer.id)?.(answer);
  waiting.delete(answer.id);
});

let calls = 0;
function ask(file: string, code: string): Promise<unknown> {
  const id = String((calls += 1));
  worker.stdin.write(`${JSON.stringify({ id, file, args: ["EXECUTE_CODE", code], mounts: [] })}\n`);
  return new Promise((resolve) => waiting.set(id, resolve));
}

const server = new Server({ name: "capsule", version: "1" }, { capabilities: { tools: {} } });
server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
  const { output, error } = Object(await ask(FILES[params.name] ?? "", String(params.arguments?.["code"])));
  const done = output?.success === true;
  return { content: [{ type: "text", text: String(done ? output.result : (output?.error?.message ?? error)) }], isError: !done };
});
process.stdin.on("end", () => process.exit(0));
process.on("exit", () => worker.kill());
await server.connect(new StdioServerTransport());
