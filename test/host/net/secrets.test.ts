import assert from "node:assert/strict";
import { test } from "node:test";
import { setDefaultCACertificates } from "node:tls";
import { placeholderOf } from "../../../src/policy/grants.ts";
import { createVeil } from "../../../src/host/net/secrets.ts";
import { createClient } from "./client.ts";
import { AUTHORITY } from "./certificates.ts";
import { serveHttp, serveHttps } from "./servers.ts";

const VALUE = 's3cret/val+ue&"7';
const KEY = placeholderOf("KEY");
const secrets = [{ name: "KEY", host: "api.example.com", value: VALUE }];
const net = [{ host: "api.example.com" }, { host: "other.test.example.com" }, { host: "127.0.0.1" }];
const resolve = async () => ["127.0.0.1"];

setDefaultCACertificates([AUTHORITY]);

/** A server that gives back all that it was sent, and keeps it. */
async function echo() {
  const seen: { url: string; authorization: string; key: string }[] = [];
  const server = await serveHttps((request, response) => {
    const { authorization = "", "x-key": key = "" } = request.headers;
    seen.push({ url: request.url ?? "", authorization, key: String(key) });
    const url = new URL(request.url ?? "", "https://api.example.com");
    response.setHeader("x-echo", Buffer.from(String(key)).toString("latin1"));
    response.end(JSON.stringify({ key, authorization, search: url.search, asked: url.searchParams.get("key") }));
  });
  return { server, seen };
}

test("a secret is put into header and query of requests to its host, and what that gives back of it is covered", async () => {
  const { server, seen } = await echo();
  await using _ = server;
  using client = createClient({ net, secrets, resolve });
  const reply = await client.ask(`https://api.example.com:${server.port}/?key=${KEY}`, { headers: [["X-Key", `a ${KEY} b`]] });
  assert.deepEqual(seen, [{ url: `/?key=${encodeURIComponent(VALUE)}`, authorization: "", key: `a ${VALUE} b` }]);
  assert.deepEqual(JSON.parse(reply.text), { key: `a ${KEY} b`, authorization: "", search: `?key=${KEY}`, asked: KEY });
  assert.equal(reply.headers["x-echo"], `a ${KEY} b`);
  assert.ok(!JSON.stringify([reply, client.records]).includes("s3cret"));
});

test("a secret that comes back as the name of a header is covered too", async () => {
  await using server = await serveHttps((request, response) => response.setHeader(String(request.headers["x-key"]), "1").end());
  const value = "s3cret-token";
  using client = createClient({ net, secrets: [{ name: "KEY", host: "api.example.com", value }], resolve });
  const { headers } = await client.ask(`https://api.example.com:${server.port}/`, { headers: [["X-Key", KEY]] });
  assert.equal(headers[KEY.toLowerCase()], "1");
  assert.equal(headers[value], undefined);
});

test("a secret is put into what Authorization: Basic encodes", async () => {
  const { server, seen } = await echo();
  await using _ = server;
  using client = createClient({ net, secrets, resolve });
  const basic = (password: string): string => `Basic ${Buffer.from(`user:${password}`).toString("base64")}`;
  const reply = await client.ask(`https://api.example.com:${server.port}/`, { headers: [["authorization", basic(KEY)]] });
  assert.equal(seen[0]?.authorization, basic(VALUE));
  assert.equal(JSON.parse(reply.text).authorization, basic(KEY));
});

test("a secret goes nowhere else, and nowhere without TLS: such a request is not sent", async () => {
  const { server, seen } = await echo();
  await using _ = server;
  await using plain = await serveHttp((_request, response) => response.end());
  using client = createClient({ net, secrets, resolve });
  const refusal = "The secret KEY goes to api.example.com alone, and over https alone, so this request was not sent.";
  for (const url of [`https://other.test.example.com:${server.port}/`, `http://api.example.com:${plain.port}/`, `https://127.0.0.1:${server.port}/`]) {
    for (const request of [{ url: `${url}?k=${KEY}` }, { headers: [["X-Key", KEY]] }, { headers: [["Authorization", `Basic ${Buffer.from(`u:${KEY}`).toString("base64")}`]] }]) {
      const { code, message } = await client.ask(url, { url, ...request, headers: (request.headers ?? []).map(([name = "", value = ""]): [string, string] => [name, value]) });
      assert.deepEqual([code, message], ["refused", refusal], url);
    }
  }
  assert.equal(seen.length + plain.connections(), 0);
});

test("a body is sent as it is: a placeholder in it stays one", async () => {
  let body = "";
  await using server = await serveHttps((request, response) => {
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => response.end());
  });
  using client = createClient({ net, secrets, resolve });
  await client.ask(`https://api.example.com:${server.port}/`, { method: "POST" }, KEY);
  assert.equal(body, KEY);
});

test("what is covered is found across pieces, in the forms that servers give back", () => {
  const forms = [VALUE, encodeURIComponent(VALUE), Buffer.from(VALUE).toString("base64"), Buffer.from(VALUE).toString("hex"), JSON.stringify(VALUE).slice(1, -1)];
  const needles = forms.map((form) => ({ find: Buffer.from(form), put: Buffer.from("<KEY>") }));
  const text = `start ${forms.join(" and ")} end s3cre`;
  for (let size = 1; size <= 40; size += 1) {
    const veil = createVeil(needles);
    const out: Uint8Array[] = [];
    for (let at = 0; at < text.length; at += size) out.push(veil.cover(Buffer.from(text.slice(at, at + size)), false));
    out.push(veil.cover(new Uint8Array(0), true));
    assert.equal(Buffer.concat(out).toString(), `start ${forms.map(() => "<KEY>").join(" and ")} end s3cre`, `pieces of ${size}`);
  }
});

test("what can't be the beginning of a secret is handed on at once", () => {
  const veil = createVeil([{ find: Buffer.from("secret"), put: Buffer.from("-") }]);
  assert.equal(Buffer.from(veil.cover(Buffer.from("event: 1\n\n"), false)).toString(), "event: 1\n\n");
  assert.equal(Buffer.from(veil.cover(Buffer.from("its sec"), false)).toString(), "its ");
});

test("no placeholder is a part of another", () => {
  assert.ok(!placeholderOf("KEY_2").includes(placeholderOf("KEY")));
  assert.ok(!placeholderOf("MY_KEY").includes(placeholderOf("KEY")));
});
