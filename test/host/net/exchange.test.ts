import assert from "node:assert/strict";
import { test } from "node:test";
import { setDefaultCACertificates } from "node:tls";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { createClient } from "./client.ts";
import { AUTHORITY } from "./certificates.ts";
import { serveHttp, serveHttps } from "./servers.ts";

const net = [{ host: "127.0.0.1" }];

setDefaultCACertificates([AUTHORITY]);

test("an answer comes whole, with its status and headers, and the request is told to the user without its query", async () => {
  await using server = await serveHttp((_, response) => response.writeHead(418, { "x-a": "1" }).end("short and stout"));
  using client = createClient({ net });
  const reply = await client.ask(`http://127.0.0.1:${server.port}/pot?key=1`);
  assert.deepEqual([reply.status, reply.headers["x-a"], reply.text, reply.code], [418, "1", "short and stout", ""]);
  const url = `http://127.0.0.1:${server.port}/pot`;
  assert.deepEqual(client.records, [{ method: "GET", url, status: 418, sentBytes: 0, receivedBytes: 15 }]);
});

test("connections are kept from request to request, and closed with the run", async () => {
  await using server = await serveHttp((_, response) => response.end("x"));
  const client = createClient({ net });
  for (let times = 0; times < 5; times += 1) await client.ask(`http://127.0.0.1:${server.port}/`);
  assert.equal(server.connections(), 1);
  client[Symbol.dispose]();
});

test("a kept connection that the server has closed meanwhile does not fail what can be sent again", async () => {
  let served = 0;
  await using server = await serveHttp((request, response) => {
    served += 1;
    // The second request on a connection finds it closed.
    if (served === 2) return void request.socket.destroy();
    response.end(String(served));
  });
  using client = createClient({ net });
  assert.equal((await client.ask(`http://127.0.0.1:${server.port}/`)).text, "1");
  assert.equal((await client.ask(`http://127.0.0.1:${server.port}/`)).text, "3");
});

test("TLS is verified, whatever Node's own variable says", async () => {
  process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
  try {
    await using server = await serveHttps((_, response) => response.end("sealed"));
    using client = createClient({ net: [...net, { host: "wrong.example.org" }], resolve: async () => ["127.0.0.1"] });
    assert.equal((await client.ask(`https://127.0.0.1:${server.port}/`)).text, "sealed");
    const wrong = await client.ask(`https://wrong.example.org:${server.port}/`);
    assert.deepEqual(
      [wrong.code, wrong.message],
      ["tls", "wrong.example.org can't prove that it is that host: its certificate is for another name. Certificates are always checked."],
    );
    setDefaultCACertificates([]);
    const unknown = await client.ask(`https://127.0.0.1:${server.port}/new`, { headers: [["connection", "close"]] });
    assert.ok(unknown.code === "" || unknown.code === "tls");
    using fresh = createClient({ net });
    assert.equal((await fresh.ask(`https://127.0.0.1:${server.port}/`)).code, "tls");
  } finally {
    setDefaultCACertificates([AUTHORITY]);
    delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
  }
});

test("a body is unpacked when that is asked for, and left as it came when it isn't", async () => {
  const packed = { gzip: gzipSync("unpacked"), zstd: zstdCompressSync("unpacked"), "zstd, gzip": gzipSync(zstdCompressSync("unpacked")) };
  for (const [coding, bytes] of Object.entries(packed)) {
    await using server = await serveHttp((_, response) => response.writeHead(200, { "content-encoding": coding }).end(bytes));
    using client = createClient({ net });
    const url = `http://127.0.0.1:${server.port}/`;
    const open = await client.ask(url, { unpack: true });
    assert.deepEqual([open.text, open.headers["content-encoding"]], ["unpacked", undefined], coding);
    const closed = await client.ask(url);
    assert.deepEqual([closed.bytes, closed.headers["content-encoding"]], [bytes.length, coding], coding);
  }
});

test("a body is streamed with the length that was told, or in chunks", async () => {
  const seen: (string | undefined)[] = [];
  await using server = await serveHttp((request, response) => {
    seen.push(request.headers["content-length"], request.headers["transfer-encoding"]);
    request.pipe(response);
  });
  using client = createClient({ net });
  const url = `http://127.0.0.1:${server.port}/`;
  for (const length of [{ length: 6 }, {}]) {
    const id = length.length === undefined ? 2 : 1;
    const reply = client.ask(url, { method: "POST", body: "stream", ...length });
    client.send({ kind: "body", id, bytes: Buffer.from("abc"), last: false });
    client.send({ kind: "body", id, bytes: Buffer.from("def"), last: true });
    assert.equal((await reply).text, "abcdef");
  }
  assert.deepEqual(seen, ["6", undefined, undefined, "chunked"]);
});

test("a body that is longer or shorter than was told is no request", async () => {
  await using server = await serveHttp((request, response) => request.pipe(response));
  using client = createClient({ net });
  for (const [id, bytes] of [[1, "abcdefg"], [2, "abc"]] as const) {
    const reply = client.ask(`http://127.0.0.1:${server.port}/`, { method: "POST", body: "stream", length: 6 });
    client.send({ kind: "body", id, bytes: Buffer.from(bytes), last: true });
    assert.equal((await reply).message, `The body was said to be 6 bytes and was ${bytes.length}.`);
  }
});

test("what can't be reached is told in words", async () => {
  await using server = await serveHttp((_, response) => response.end());
  const { port } = server;
  await server[Symbol.asyncDispose]();
  using client = createClient({ net: [...net, { host: "nowhere.example.com" }], resolve: async () => Promise.reject(Object.assign(new Error("x"), { code: "ENOTFOUND" })) });
  assert.deepEqual(await outcome(client.ask(`http://127.0.0.1:${port}/`)), ["connect", "No connection to 127.0.0.1: nothing listens there."]);
  assert.deepEqual(await outcome(client.ask("http://nowhere.example.com/")), ["name", "There is no host named nowhere.example.com, or its name can't be looked up now."]);
});

async function outcome(reply: Promise<{ readonly code: string; readonly message: string }>): Promise<string[]> {
  const { code, message } = await reply;
  return [code, message];
}
