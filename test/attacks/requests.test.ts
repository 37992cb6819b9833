import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { createClient } from "../host/net/client.ts";
import { serveHttp, serveRaw } from "../host/net/servers.ts";

const net = [{ host: "127.0.0.1" }];
const PIECE = Buffer.alloc(65_536, 97);

test("an answer of ten gigabytes ends at the limit, and the connection with it", async () => {
  let sent = 0;
  let closed = false;
  await using server = await serveHttp((_, response) => {
    response.on("close", () => (closed = true));
    const pour = (): void => {
      while (sent < 10_737_418_240 && !closed) {
        sent += PIECE.length;
        if (!response.write(PIECE)) return void response.once("drain", pour);
      }
      response.end();
    };
    pour();
  });
  using client = createClient({ net, limits: { bytes: 4_000_000 } });
  const { code, message, bytes } = await client.ask(`http://127.0.0.1:${server.port}/`);
  assert.equal(code, "limit");
  assert.equal(message, "This run has sent and received more than 4,000,000 bytes over the network, which is the most (--net-bytes). Ask for less, or for a part.");
  assert.ok(bytes <= 4_000_000);
  await until(() => closed);
  assert.ok(sent < 100_000_000);
});

test("an answer at the limit passes, one byte more does not; what was sent counts too", async () => {
  await using server = await serveHttp((request, response) => request.resume().on("end", () => response.end("x".repeat(900))));
  const url = `http://127.0.0.1:${server.port}/`;
  using enough = createClient({ net, limits: { bytes: 1_000 } });
  assert.equal((await enough.ask(url, { method: "POST" }, "y".repeat(100))).bytes, 900);
  using less = createClient({ net, limits: { bytes: 999 } });
  assert.equal((await less.ask(url, { method: "POST" }, "y".repeat(100))).code, "limit");
});

test("a small body that unpacks to a huge one ends at the limit", async () => {
  const bomb = gzipSync(Buffer.alloc(200_000_000));
  await using server = await serveHttp((_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(bomb));
  using client = createClient({ net, limits: { bytes: 1_000_000 } });
  const { code, bytes } = await client.ask(`http://127.0.0.1:${server.port}/`, { unpack: true });
  assert.equal(code, "limit");
  assert.ok(bytes <= 1_000_000);
});

test("a body that unpacks to nothing ends at the limit by what came, and one between two codings by what is between", async () => {
  const nothing = Buffer.concat(Array.from({ length: 3_000 }, () => gzipSync("")));
  let sent = 0;
  const endless = await serveHttp((_, response) => {
    response.writeHead(200, { "content-encoding": "gzip" });
    const pour = (): void => {
      while (!response.destroyed) {
        sent += nothing.length;
        if (!response.write(nothing)) return void response.once("drain", pour);
      }
    };
    pour();
  });
  const between = gzipSync(Buffer.concat(Array.from({ length: 100 }, () => nothing)));
  const nested = await serveHttp((_, response) => response.writeHead(200, { "content-encoding": "gzip, gzip" }).end(between));
  assert.ok(between.length < 100_000);
  for (const server of [endless, nested]) {
    await using _ = server;
    using client = createClient({ net, limits: { bytes: 1_000_000 } });
    assert.deepEqual(await client.ask(`http://127.0.0.1:${server.port}/`, { unpack: true }).then(({ code, bytes }) => [code, bytes]), ["limit", 0]);
  }
  assert.ok(sent < 30_000_000, `${sent} bytes were sent`);
});

test("an answer in crumbs is not read ahead without end either", async () => {
  await using server = await serveRaw((socket) => socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${"1\r\nx\r\n".repeat(50_000)}`));
  using client = createClient({ net, limits: { timeoutMs: 300 } });
  const { code, bytes } = await client.ask(`http://127.0.0.1:${server.port}/`, {}, "", false);
  assert.equal(code, "timeout");
  assert.ok(bytes <= 1_000, `${bytes} crumbs were handed on`);
});

test("a request that is answered before its body is whole holds no connection", async () => {
  let open = 0;
  await using server = await serveHttp((request, response) => {
    open += 1;
    request.socket.on("close", () => (open -= 1));
    response.end("enough");
  });
  using client = createClient({ net, limits: { parallel: 2 } });
  const replies = Array.from({ length: 10 }, (_, at) => {
    const reply = client.ask(`http://127.0.0.1:${server.port}/`, { method: "POST", body: "stream" });
    client.send({ kind: "body", id: at + 1, bytes: Buffer.from("begun"), last: false });
    return reply;
  });
  assert.deepEqual((await Promise.all(replies)).map(({ text }) => text), Array.from({ length: 10 }, () => "enough"));
  await until(() => open === 0);
});

test("codings upon codings are not unpacked", async () => {
  let bytes: Uint8Array = Buffer.from("x");
  for (let times = 0; times < 10; times += 1) bytes = gzipSync(bytes);
  await using server = await serveHttp((_, response) => response.writeHead(200, { "content-encoding": Array.from({ length: 10 }, () => "gzip").join(", ") }).end(bytes));
  using client = createClient({ net });
  assert.equal((await client.ask(`http://127.0.0.1:${server.port}/`, { unpack: true })).bytes, bytes.length);
});

test("an answer that nobody takes is not read ahead without end", async () => {
  let sent = 0;
  await using server = await serveHttp((_, response) => {
    const pour = (): void => {
      for (;;) {
        sent += PIECE.length;
        if (!response.write(PIECE)) return void response.once("drain", pour);
      }
    };
    pour();
  });
  using client = createClient({ net, limits: { timeoutMs: 300 } });
  const { code, bytes } = await client.ask(`http://127.0.0.1:${server.port}/`, {}, "", false);
  assert.equal(code, "timeout");
  assert.ok(bytes <= 400_000, `${bytes} bytes were handed on`);
  assert.ok(sent < 30_000_000, `${sent} bytes were sent`);
});

test("an answer that never ends, headers that drip and a server that is silent end in time", async () => {
  const never = await serveHttp((_, response) => {
    const timer = setInterval(() => response.write("."), 10);
    response.on("close", () => clearInterval(timer));
  });
  const dripping = await serveRaw((socket) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    const timer = setInterval(() => socket.write("x-drip: 1\r\n"), 10);
    socket.on("close", () => clearInterval(timer));
  });
  const silent = await serveRaw(() => {});
  for (const server of [never, dripping, silent]) {
    await using _ = server;
    using client = createClient({ net, limits: { timeoutMs: 200 } });
    const { code, message } = await client.ask(`http://127.0.0.1:${server.port}/`);
    assert.deepEqual([code, message], ["timeout", "The request was not done after 200 ms (--net-timeout-ms)."]);
  }
});

test("headers of an answer end at their limit", async () => {
  await using server = await serveRaw((socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${"a".repeat(4_096)}\r\n\r\n`));
  using enough = createClient({ net, limits: { headerBytes: 8_192, timeoutMs: 200 } });
  assert.equal((await enough.ask(`http://127.0.0.1:${server.port}/`)).status, 200);
  using less = createClient({ net, limits: { headerBytes: 2_048 } });
  const { code, message } = await less.ask(`http://127.0.0.1:${server.port}/`);
  assert.deepEqual([code, message], ["limit", "The headers of the answer are larger than 2,048 bytes (--net-header-bytes)."]);
});

test("headers of a request end at their limit, and hold no line break", async () => {
  await using server = await serveHttp((_, response) => response.end());
  const url = `http://127.0.0.1:${server.port}/`;
  using client = createClient({ net, limits: { headerBytes: 2_048 } });
  assert.equal((await client.ask(url, { headers: [["x", "a".repeat(2_048)]] })).code, "limit");
  assert.equal((await client.ask(`${url}${"a".repeat(2_048)}`)).code, "limit");
  const injections: [string, string][] = [["x", "1\r\nevil: 2"], ["x", "1\nevil: 2"], ["x\r\nevil", "2"], ["x: y", "2"], ["", "2"], ["x", "\0"], ["x", "€"]];
  for (const header of injections) assert.equal((await client.ask(url, { headers: [header] })).code, "invalid", JSON.stringify(header));
  for (const method of ["GET / HTTP/1.1\r\nx: 1", "", "CONNECT", "trace", "TRACK", "G T"]) {
    assert.equal((await client.ask(url, { method })).code, "invalid", method);
  }
  assert.equal(server.connections(), 0);
});

test("a line break in a URL starts no line: it is left out, or written otherwise", async () => {
  let seen = "";
  await using server = await serveHttp((request, response) => {
    seen = `${request.url} ${Object.keys(request.headers).join()}`;
    response.end();
  });
  using client = createClient({ net });
  await client.ask(`http://127.0.0.1:${server.port}/a\r\nevil: 1\r\n\r\nb c`);
  assert.match(seen, /^\/aevil:%201b%20c host,/);
});

test("what is the connection's is the host's to say", async () => {
  let seen: Record<string, unknown> = {};
  await using server = await serveHttp((request, response) => {
    seen = request.headers;
    response.end();
  });
  using client = createClient({ net });
  const ours = ["Host", "Connection", "Content-Length", "Transfer-Encoding", "Upgrade", "TE", "Trailer", "Expect", "Proxy-Authorization", "Keep-Alive", "HTTP2-Settings"];
  await client.ask(`http://127.0.0.1:${server.port}/`, { headers: [...ours.map((name): [string, string] => [name, "evil.com"]), ["X-Kept", "1"]] });
  assert.deepEqual(seen, { host: `127.0.0.1:${server.port}`, "x-kept": "1", "accept-encoding": "identity", connection: "keep-alive" });
});

test("an answer that is no HTTP, a switch of protocols and a cut-off body are failures, in words", async () => {
  const answers = { "SSH-2.0-x\r\n": "broken", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nraw": "broken", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc": "broken", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n": "broken" };
  for (const [answer, code] of Object.entries(answers)) {
    await using server = await serveRaw((socket) => socket.end(answer));
    using client = createClient({ net });
    const reply = await client.ask(`http://127.0.0.1:${server.port}/`);
    assert.equal(reply.code, code, answer);
    assert.match(reply.message, /^The exchange with 127\.0\.0\.1 broke: /);
  }
});

test("a redirect that leads inward is a request of its own, and refused as one", async () => {
  await using inside = await serveHttp((_, response) => response.end("inside"));
  await using server = await serveHttp((_, response) => response.writeHead(302, { location: `http://localhost:${inside.port}/` }).end());
  using client = createClient({ net: [{ host: "127.0.0.1", port: server.port }] });
  const { status, headers } = await client.ask(`http://127.0.0.1:${server.port}/`);
  assert.equal(status, 302);
  assert.equal((await client.ask(headers["location"] ?? "")).code, "refused");
  assert.equal(inside.connections(), 0);
});

test("a run makes so many requests, and so many at a time", async () => {
  let now = 0;
  let most = 0;
  await using server = await serveHttp((_, response) => {
    now += 1;
    most = Math.max(most, now);
    setTimeout(() => {
      now -= 1;
      response.end();
    }, 20);
  });
  using client = createClient({ net, limits: { requests: 10, parallel: 3 } });
  const replies = await Promise.all(Array.from({ length: 11 }, () => client.ask(`http://127.0.0.1:${server.port}/`)));
  assert.equal(most, 3);
  assert.deepEqual(replies.map(({ code }) => code).filter((code) => code !== ""), ["limit"]);
});

test("with the end of a run its requests end, those that wait too", async () => {
  let open = 0;
  await using server = await serveHttp((_, response) => {
    open += 1;
    response.on("close", () => (open -= 1));
  });
  const client = createClient({ net, limits: { parallel: 2 } });
  for (let times = 0; times < 4; times += 1) void client.ask(`http://127.0.0.1:${server.port}/`);
  await until(() => open === 2);
  client[Symbol.dispose]();
  await until(() => open === 0);
  await sleep(50);
  assert.equal(server.connections(), 2);
});

async function until(ready: () => boolean): Promise<void> {
  const end = performance.now() + 5_000;
  while (!ready()) {
    if (performance.now() > end) assert.fail("it did not come to that");
    await sleep(5);
  }
}
