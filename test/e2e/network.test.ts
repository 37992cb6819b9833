import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { AUTHORITY } from "../host/net/certificates.ts";
import { serveHttp, serveHttps } from "../host/net/servers.ts";
import { type Connection, connect, ON_DENO } from "./driver.ts";

const SECRET = "s3cret-value";
const folder = mkdtempSync(join(tmpdir(), "belljar-net-"));
const authority = join(folder, "authority.pem");
writeFileSync(authority, AUTHORITY);

/** What the servers of these tests answer, by path. */
function serve(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://x");
  const pieces: Buffer[] = [];
  request.on("data", (piece: Buffer) => pieces.push(piece));
  request.on("end", () => {
    const { method, headers } = request;
    switch (pathname) {
      case "/json":
        return response.writeHead(200, { "content-type": "application/json" }).end('{"answer": 42}');
      case "/csv":
        return response.end("city,people\nBern,134\nBasel,173\n");
      case "/echo":
        return response.end(JSON.stringify({ method, url: request.url, headers, body: Buffer.concat(pieces).toString() }));
      case "/moved":
        return response.writeHead(302, { location: "/json", "set-cookie": "seen=1" }).end();
      case "/inward":
        return response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data/" }).end();
      case "/lines":
        for (let line = 0; line < 3; line += 1) setTimeout(() => (line < 2 ? response.write(`line ${line}\n`) : response.end("line 2\n")), 30 * line);
        return;
      case "/late":
        return void setTimeout(() => response.end("late"), Number(searchParams.get("ms")));
      default:
        return response.writeHead(404).end("none");
    }
  });
}

/** A connection whose code may reach two servers of this machine, one of them over TLS, and has a secret for that. */
async function granted(t: TestContext): Promise<{ readonly connection: Connection; readonly http: string; readonly https: string; readonly audit: string }> {
  const http = await serveHttp(serve);
  const https = await serveHttps(serve);
  const audit = join(folder, `audit-${http.port}`);
  const flags = [`--allow-net=localhost:${http.port},localhost:${https.port},127.0.0.1:${http.port}`, "--secret=API_KEY=localhost", `--audit=${audit}`];
  const connection = await connect(flags, "e2e", { NODE_EXTRA_CA_CERTS: authority, API_KEY: SECRET });
  t.after(async () => {
    await connection[Symbol.asyncDispose]();
    await http[Symbol.asyncDispose]();
    await https[Symbol.asyncDispose]();
  });
  return { connection, http: `http://localhost:${http.port}`, https: `https://localhost:${https.port}`, audit };
}

test("without a flag each way to a host says which would open it", async () => {
  const sentence = "No network here: api.example.com was not allowed. The user can start Belljar with --allow-net=api.example.com";
  await using connection = await connect();
  const ways = [
    ["python", "import requests\nrequests.get('https://api.example.com/v1')", "ConnectionError"],
    ["python", "import requests\nrequests.Session().post('http://api.example.com/v1', json={})", "ConnectionError"],
    ["python", "import urllib.request\nurllib.request.urlopen('https://api.example.com/v1')", "URLError"],
    ["python", "import http.client\nhttp.client.HTTPSConnection('api.example.com').request('GET', '/')", "ConnectionRefusedError"],
    ["python", "import pandas as pd\npd.read_csv('https://api.example.com/data.csv')", "URLError"],
    ["javascript", "await fetch('https://api.example.com/v1')", "TypeError"],
  ] as const;
  for (const [language, code, type] of ways) {
    const { status, error } = await connection.run(language, code);
    assert.deepEqual([status, error?.type], ["error", type], code);
    assert.ok(error?.message.includes(sentence), `${code}: ${error?.message}`);
  }
  const { error } = await connection.run("python", "import socket\nsocket.socket()");
  assert.match(error?.message ?? "", /there are no sockets here: use urllib\.request, http\.client or requests, for hosts that the user allowed/);
  const { notes } = await connection.run("python", "import httpx");
  assert.deepEqual(notes, ["httpx isn't available here: use requests or urllib.request, for hosts that the user allowed (--allow-net=HOST)."]);
});

test("Python reads JSON and tables, posts forms and files, follows redirects and takes a body as it comes", { skip: ON_DENO }, async (t) => {
  const { connection, http, https } = await granted(t);
  const run = async (code: string): Promise<unknown> => {
    const { status, result, error } = await connection.run("python", code);
    assert.equal(status, "ok", error?.message ?? "");
    return result;
  };
  assert.deepEqual(await run(`import requests\nrequests.get("${http}/json").json()`), { answer: 42 });
  assert.deepEqual(await run(`import requests\nrequests.get("${https}/json").json()`), { answer: 42 });
  assert.deepEqual(await run(`import json, urllib.request\njson.load(urllib.request.urlopen("${https}/json"))`), { answer: 42 });
  assert.deepEqual(await run(`import ssl, urllib.request\nurllib.request.urlopen("${https}/json", context=ssl.create_default_context()).status`), 200);
  assert.deepEqual(await run(`import pandas as pd\npd.read_csv("${http}/csv").people.sum()`), 307);
  assert.deepEqual(await run(`import pandas as pd\npd.read_json("${http}/json", typ="series").answer`), 42);
  const client = `import http.client\nc = http.client.HTTPConnection("localhost", ${new URL(http).port})\n`;
  assert.deepEqual(await run(`${client}c.request("GET", "/json")\nr = c.getresponse()\nfirst = r.status, r.read().decode()\nc.request("GET", "/none")\n[*first, c.getresponse().status]`), [200, '{"answer": 42}', 404]);

  const posts = `import io, requests
def body(**given):
    told = requests.post("${http}/echo", **given).json()
    return [told["headers"].get("content-type", "").partition(";")[0], told["headers"].get("transfer-encoding"), told["body"]]
r = requests.post("${http}/echo", files={"f": ("n.txt", b"inside")}).json()
[body(json={"a": 1}), body(data={"a": "b c"}), body(data=(part for part in (b"one", b"two"))), body(data=io.BytesIO(b"file")), 'name="f"; filename="n.txt"' in r["body"]]`;
  assert.deepEqual(await run(posts), [["application/json", null, '{"a": 1}'], ["application/x-www-form-urlencoded", null, "a=b+c"], ["", "chunked", "onetwo"], ["", null, "file"], true]);
  const session = `import requests
s = requests.Session()
r = s.get("${http}/moved")
[r.url.endswith("/json"), [h.status_code for h in r.history], s.cookies.get_dict(), s.get("${http}/echo").json()["headers"]["cookie"]]`;
  assert.deepEqual(await run(session), [true, [302], { seen: "1" }, "seen=1"]);
  assert.deepEqual(await run(`import requests\nwith requests.get("${http}/lines", stream=True) as r: lines = [line.decode() for line in r.iter_lines()]\nlines`), ["line 0", "line 1", "line 2"]);
  const failures = `import requests, urllib.error, urllib.request
def kind(call):
    try: call()
    except Exception as error: return type(error).__name__
[kind(lambda: requests.get("${http}/late?ms=5000", timeout=0.2)), kind(lambda: urllib.request.urlopen("${http}/late?ms=5000", timeout=0.2)),
 kind(lambda: urllib.request.urlopen("${http}/none")), kind(lambda: requests.get("${http}/inward")), kind(lambda: requests.get("${http.replace("http", "https")}/json"))]`;
  assert.deepEqual(await run(failures), ["ReadTimeout", "TimeoutError", "HTTPError", "ConnectionError", "SSLError"]);
});

test("JavaScript fetches, several at once, takes a body as it comes, and gives up by a signal", { skip: ON_DENO }, async (t) => {
  const { connection, http, https } = await granted(t);
  const run = async (code: string): Promise<unknown> => {
    const { status, result, error } = await connection.run("javascript", code);
    assert.equal(status, "ok", error?.message ?? "");
    return result;
  };
  assert.deepEqual(await run(`const r = await fetch("${https}/json"); [r.status, r.ok, r.headers.get("content-type"), await r.json()]`), [200, true, "application/json", { answer: 42 }]);
  assert.deepEqual(await run(`const r = await fetch("${http}/moved"); [r.redirected, r.url.endsWith("/json")]`), [true, true]);
  const started = performance.now();
  const late = `(await Promise.all(Array.from({ length: 8 }, async () => (await fetch("${http}/late?ms=500")).text()))).join()`;
  assert.equal(await run(late), Array.from({ length: 8 }, () => "late").join());
  assert.ok(performance.now() - started < 3_500, "eight requests of half a second ran one after the other");
  assert.deepEqual(await run(`const seen = []; for await (const chunk of (await fetch("${http}/lines")).body) seen.push(new TextDecoder().decode(chunk)); seen.join("")`), "line 0\nline 1\nline 2\n");
  assert.deepEqual(await run(`const reader = (await fetch("${http}/lines")).body.getReader(); const { value, done } = await reader.read(); await reader.cancel(); [new TextDecoder().decode(value), done]`), ["line 0\n", false]);
  assert.deepEqual(await run(`await fetch("${http}/late?ms=9000", { signal: AbortSignal.timeout(100) }).catch((error) => error.name)`), "TimeoutError");
  assert.deepEqual(await run(`const c = new AbortController(); setTimeout(() => c.abort(), 50); await fetch("${http}/late?ms=9000", { signal: c.signal }).catch((error) => error.name)`), "AbortError");
  assert.deepEqual(await run(`const form = new FormData(); form.set("a", "1"); form.set("f", new Blob(["inside"]), "n.txt"); (await (await fetch("${http}/echo", { method: "POST", body: form })).json()).body.includes('name="f"; filename="n.txt"')`), true);
  assert.deepEqual(await run(`const { method, body, headers } = await (await fetch(new Request("${http}/echo", { method: "PUT", body: new URLSearchParams({ a: "b c" }) }))).json(); [method, body, headers["content-type"]]`), ["PUT", "a=b+c", "application/x-www-form-urlencoded;charset=UTF-8"]);
  assert.match(String(await run(`await fetch("${http}/inward").catch((error) => error.message)`)), /No network to 169\.254\.169\.254: only .* were allowed/);
});

test("a secret reaches its host, and nothing that is read, told or kept holds it", { skip: ON_DENO }, async (t) => {
  const { connection, http, https, audit } = await granted(t);
  const fetched = await connection.run("javascript", `const key = process.env.API_KEY; const r = await fetch("${https}/echo?k=" + key, { headers: { authorization: "Bearer " + key } }); await r.text()`);
  assert.match(String(fetched.result), /Bearer belljar_secret_7_API_KEY/);
  const asked = await connection.run("python", `import os, requests\nr = requests.get("${https}/echo", auth=("user", os.environ["API_KEY"]))\n[os.environ["API_KEY"], r.text]`, { sandbox: "kept" });
  assert.match(JSON.stringify(asked.result), /^\["belljar_secret_7_API_KEY"/);
  const plain = await connection.run("python", `import requests\nrequests.get("${http}/echo?k=belljar_secret_7_API_KEY")`);
  assert.match(plain.error?.message ?? "", /The secret API_KEY goes to localhost alone, and over https alone, so this request was not sent\./);
  const told = [JSON.stringify([fetched, asked, plain]), readFileSync(audit, "utf8"), connection.stderr()].join("\n");
  for (const form of [SECRET, Buffer.from(SECRET).toString("base64"), Buffer.from(`user:${SECRET}`).toString("base64")]) assert.ok(!told.includes(form));
});

test("each request is a line of the audit, under its sandbox's name", { skip: ON_DENO }, async (t) => {
  const { connection, http, audit } = await granted(t);
  await connection.run("javascript", `await (await fetch("${http}/csv?private=1")).text()`, { sandbox: "kept" });
  const [line = ""] = readFileSync(audit, "utf8").split("\n");
  const { time, ...rest } = JSON.parse(line);
  assert.ok(!Number.isNaN(Date.parse(time)));
  assert.deepEqual(rest, { sandbox: "kept", what: "request", name: `GET ${http}/csv 200`, times: 1, bytes: 31 });
});

test("a wait for an answer ends at the deadline, and when it is killed; it burns no fuel, and its connection is closed", { skip: ON_DENO }, async (t) => {
  let open = 0;
  const server = await serveHttp((_, response) => {
    open += 1;
    response.on("close", () => (open -= 1));
  });
  const connection = await connect([`--allow-net=localhost:${server.port}`]);
  t.after(async () => {
    await connection[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });
  const url = `http://localhost:${server.port}/`;
  const codes = { python: `import urllib.request\nurllib.request.urlopen("${url}")`, javascript: `await fetch("${url}")` } as const;
  for (const language of ["python", "javascript"] as const) {
    await connection.run(language, codes[language], { timeout_ms: 3_000 });
    const { status, usage } = await connection.run(language, codes[language], { timeout_ms: 1_500 });
    assert.equal(status, "timeout");
    assert.ok(usage.fuel < 1_000_000_000, `${usage.fuel} instructions`);
    await until(() => open === 0);

    const running = connection.run(language, codes[language]);
    await until(() => open === 1);
    const { text } = await connection.call("list_executions", {});
    await connection.call("kill_execution", { execution_id: /^[0-9a-f]+/m.exec(text)?.[0] ?? "" });
    assert.equal((await running).status, "killed");
    await until(() => open === 0);
  }
});

async function until(ready: () => boolean): Promise<void> {
  const end = performance.now() + 20_000;
  while (!ready()) {
    if (performance.now() > end) assert.fail("it did not come to that");
    await sleep(10);
  }
}
