import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { type Grants, NO_GRANTS, PACKAGES_PLACE } from "../../src/policy/grants.ts";
import { openSession } from "./session.ts";

const FOLDER = { host: "/srv/data", guest: "/mnt/data", writable: false };
const toolsSchema = z.object({ tools: z.array(z.object({ name: z.string(), description: z.string(), annotations: z.record(z.string(), z.unknown()) })) });

/** What a client is told of a server with those grants. */
async function told(grants: Partial<Grants>): Promise<{ instructions: string; description: string; annotations: Record<string, unknown> }> {
  const session = await openSession({ settings: { grants: { ...NO_GRANTS, ...grants } }, handshake: false });
  const clientInfo = { name: "test", version: "1" };
  const { result } = await session.request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  session.notify("notifications/initialized");
  const listed = await session.request("tools/list");
  await session.close();
  const python = toolsSchema.parse(listed.result).tools.find(({ name }) => name === "execute_python");
  assert.ok(python);
  const { title: _, ...annotations } = python.annotations;
  return { instructions: String(result?.["instructions"]), description: python.description, annotations };
}

const ANNOTATED: readonly (readonly [title: string, grants: Partial<Grants>, readOnly: boolean, openWorld: boolean])[] = [
  ["no grant", {}, true, false],
  ["a folder to read", { folders: [FOLDER] }, true, false],
  ["a folder to write", { folders: [{ ...FOLDER, writable: true }] }, false, false],
  ["a host", { net: [{ host: "api.example.com" }] }, false, true],
  ["a variable", { env: { LANG: "C" } }, true, false],
];

for (const [title, grants, readOnlyHint, openWorldHint] of ANNOTATED) {
  test(`the hints of an execute tool follow ${title}`, async () => {
    const { annotations } = await told(grants);
    assert.deepEqual(annotations, { readOnlyHint, destructiveHint: !readOnlyHint, idempotentHint: false, openWorldHint });
  });
}

test("the description says what there is of network and files", async () => {
  assert.match((await told({})).description, /There is no network, and no file of the host; /);
  const { description } = await told({ folders: [FOLDER, { host: "/srv/out", guest: "/mnt/out", writable: true }], net: [{ host: "::1", port: 80 }, { host: "*.example.com" }] });
  assert.match(description, /Requests may go to \[::1\]:80, \*\.example\.com alone, and of the host's files there are those in \/mnt\/data \(read\), \/mnt\/out \(read and write\); /);
});

test("the instructions name each grant, and no value of a secret", async () => {
  const { instructions } = await told({
    folders: [FOLDER],
    net: [{ host: "api.example.com" }],
    env: { LANG: "C", KEY: "<a placeholder>" },
    secrets: [{ name: "KEY", host: "api.example.com" }],
    packages: {
      host: "/srv/packages",
      path: [PACKAGES_PLACE],
      inside: [{ name: "ms", version: "2.1.3", language: "javascript" }, { name: "own", language: "python" }],
      refused: [{ name: "fast", language: "python", reason: "it holds native code" }],
    },
  });
  const lines = instructions.split("\n");
  assert.deepEqual(lines.slice(1, 8), [
    "The folder /srv/data of the machine is at /mnt/data, to read.",
    "Requests may go to api.example.com, and to no other host.",
    "These variables are in os.environ and process.env: LANG.",
    "The variable KEY is a placeholder: requests to api.example.com get its value in its stead.",
    "Packages of the user's that Python can import: own.",
    "Packages of the user's that JavaScript can import: ms 2.1.3.",
    "The package fast can't be imported: it holds native code.",
  ]);
});
