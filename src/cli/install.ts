import { execFile } from "node:child_process";
import { homedir } from "node:os";
import { isAbsolute } from "node:path";
import { promisify } from "node:util";
import { messageOf } from "../base/errors.ts";
import { isPacked } from "../engine/assets.ts";
import { installed, usage } from "../policy/sentences.ts";
import { addServer } from "./client-file.ts";
import { type McpClient, MCP_CLIENTS, type ServerEntry } from "./clients.ts";
import { EXIT, type Invocation } from "./command.ts";
import { FLAG_ROWS } from "./flag-rows.ts";
import { parseCommandLine, readSettings } from "./flags.ts";
import { splitList } from "./grants.ts";
import { misuse } from "./misuse.ts";

const PATH_FLAGS: ReadonlySet<string> = new Set(FLAG_ROWS.filter(({ kind }) => "path" in kind && kind.path).map(({ flag }) => flag));

/** `belljar install CLIENT`: puts this binary, with the flags given, into that client's own settings. */
export async function install({ args, env, stdout }: Invocation): Promise<number> {
  const line = parseCommandLine(args, { switches: ["print"] });
  const [named, extra] = line.rest;
  const known = Object.keys(MCP_CLIENTS);
  if (named === undefined) throw misuse(installed.noClient(known));
  if (extra !== undefined) throw misuse(usage.unexpected(extra));
  const client = Object.hasOwn(MCP_CLIENTS, named) ? MCP_CLIENTS[named] : undefined;
  if (client === undefined) throw misuse(usage.notOneOf("The client", named, known));
  readSettings(line.values, env);
  const entry = entryOf(line.values);
  if (line.switches.has("print")) stdout.write(`${JSON.stringify({ mcpServers: { belljar: entry } }, null, 2)}\n`);
  else stdout.write(`${await add(client, entry, env)}\n`);
  return EXIT.ok;
}

/** A client starts its servers in a folder of its own, so paths have to be whole. */
function entryOf(values: ReadonlyMap<string, string>): ServerEntry {
  for (const [flag, value] of values) {
    const relative = PATH_FLAGS.has(flag) ? splitList(value).find((path) => !isAbsolute(path)) : undefined;
    if (relative !== undefined) throw misuse(installed.relativePath(flag, relative));
  }
  const program = isPacked() ? [] : process.argv.slice(1, 2);
  return { command: process.execPath, args: [...program, ...[...values].map(([flag, value]) => `--${flag}=${value}`)] };
}

async function add(client: McpClient, entry: ServerEntry, env: NodeJS.ProcessEnv): Promise<string> {
  if ("file" in client) {
    const file = client.file({ home: homedir(), platform: process.platform, env });
    await addServer(file, entry);
    return installed.inFile(client.name, file);
  }
  const args = client.args(entry);
  try {
    await promisify(execFile)(client.program, args, { env });
  } catch (error) {
    const reason = messageOf(error);
    throw misuse(installed.notByCommand(client.name, [client.program, ...args], reason));
  }
  return installed.byCommand(client.name, client.program);
}
