import assert from "node:assert/strict";
import { test } from "node:test";
import { isSameAddress, reservedKind } from "../../src/host/net/addresses.ts";
import { serveHttp } from "../host/net/servers.ts";
import { createClient } from "../host/net/client.ts";

/** Addresses that no name may lead to, and what each is. */
const RESERVED: Readonly<Record<string, readonly string[]>> = {
  unspecified: ["0.0.0.0", "0.1.2.3", "::", "::ffff:0.0.0.0"],
  loopback: ["127.0.0.1", "127.255.255.254", "::1", "::ffff:127.0.0.1", "::ffff:7f00:1", "0:0:0:0:0:ffff:7f00:0001", "::ffff:0:127.0.0.1"],
  private: ["10.0.0.0", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.168.255.255", "fc00::1", "fdff:ffff::1", "::ffff:192.168.1.1"],
  "link-local": ["169.254.0.1", "169.254.255.255", "fe80::1", "febf::1", "fe80::1%eth0"],
  "cloud metadata": ["169.254.169.254", "100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2::254", "fd20:ce::254", "::ffff:a9fe:a9fe"],
  "carrier-grade NAT": ["100.64.0.1", "100.127.255.255"],
  benchmark: ["198.18.0.1", "198.19.255.255"],
  documentation: ["192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"],
  multicast: ["224.0.0.1", "239.255.255.255", "ff02::1", "ff0e::1"],
  broadcast: ["255.255.255.255"],
  reserved: ["192.0.0.1", "240.0.0.1", "254.1.1.1", "2001::1", "2001:1ff::1", "::7f00:1", "::127.0.0.1", "4000::1", "5f00::1"],
  "6to4 relay": ["192.88.99.1"],
  "site-local": ["fec0::1"],
  "local NAT64": ["64:ff9b:1::1"],
  discard: ["100::1"],
  malformed: ["", "localhost", "1.2.3", "1.2.3.4.5", "256.1.1.1", "0x7f.1", "::g", "[::1]"],
};

/** Ways for IPv6 to carry an address of IPv4, with the private one that each hides. */
const CARRIED = ["64:ff9b::10.0.0.1", "64:ff9b::a00:1", "2002:a00:1::", "2002:0a00:0001:ffff::1", "::ffff:10.0.0.1", "::ffff:0:10.0.0.1"];

const PUBLIC = [
  "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0", "169.253.255.255",
  "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255",
  "2606:4700:4700::1111", "2a00:1450:4001::1", "2001:200::1", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1",
];

for (const [kind, addresses] of Object.entries(RESERVED)) {
  test(`addresses that are ${kind} are told from the public ones`, () => {
    for (const address of addresses) assert.equal(reservedKind(address), kind, address);
  });
}

test("an address of IPv4 that one of IPv6 carries is what counts", () => {
  for (const address of CARRIED) assert.equal(reservedKind(address), "private", address);
});

test("addresses at the edges of the ranges are public", () => {
  for (const address of PUBLIC) assert.equal(reservedKind(address), undefined, address);
});

test("an address is the same however it is written", () => {
  assert.ok(isSameAddress("::1", "0:0:0:0:0:0:0:1"));
  assert.ok(isSameAddress("127.0.0.1", "::ffff:7f00:1"));
  assert.ok(!isSameAddress("127.0.0.1", "64:ff9b::7f00:1"));
  assert.ok(!isSameAddress("localhost", "localhost"));
});

test("a granted name that leads to a reserved address is refused, and no connection is made", async () => {
  await using server = await serveHttp((_, response) => response.end("inside"));
  const addresses = ["127.0.0.1", "::1", "::ffff:127.0.0.1", "0.0.0.0", "10.0.0.1", "169.254.169.254", "64:ff9b::7f00:1", "fd00::1"];
  for (const address of addresses) {
    using client = createClient({ net: [{ host: "inward.example.com" }], resolve: async () => [address] });
    const { code, message } = await client.ask(`http://inward.example.com:${server.port}/`);
    assert.equal(code, "refused", address);
    assert.match(message, /^No network to inward\.example\.com: it is at .*, a[n]? .* address, which its name alone does not open\./, address);
  }
  assert.equal(server.connections(), 0);
});

test("an address that was not named is refused however it is written, and its name is not looked up", async () => {
  await using server = await serveHttp((_, response) => response.end("inside"));
  const hosts = ["127.0.0.1", "127.1", "0x7f.1", "2130706433", "017700000001", "0x7f000001", "[::ffff:127.0.0.1]", "[::1]", "localhost", "127.0.0.1.", "１２７.0.0.1"];
  using client = createClient({ net: [{ host: "*.example.com" }, { host: "example.com" }] });
  for (const host of hosts) assert.equal((await client.ask(`http://${host}:${server.port}/`)).code, "refused", host);
  assert.equal(server.connections(), 0);
});

test("an address that is named opens itself, at its port alone, and to a granted name too", async () => {
  await using server = await serveHttp((_, response) => response.end("inside"));
  const { port } = server;
  using client = createClient({ net: [{ host: "127.0.0.1", port }, { host: "name.example.com" }], resolve: async () => ["127.0.0.1"] });
  assert.equal((await client.ask(`http://127.0.0.1:${port}/`)).text, "inside");
  assert.equal((await client.ask(`http://0x7f.1:${port}/`)).text, "inside");
  assert.equal((await client.ask(`http://name.example.com:${port}/`)).text, "inside");
  assert.equal((await client.ask(`http://127.0.0.1:${port + 1}/`)).code, "refused");
  assert.equal((await client.ask(`http://name.example.com:${port + 1}/`)).code, "refused");
  assert.equal((await client.ask(`http://[::1]:${port}/`)).code, "refused");
});

test("localhost opens what loops back, and nothing else that it may resolve to", async () => {
  await using server = await serveHttp((_, response) => response.end("inside"));
  const grants = { net: [{ host: "localhost" }] };
  using right = createClient({ ...grants, resolve: async () => ["127.0.0.1"] });
  assert.equal((await right.ask(`http://localhost:${server.port}/`)).text, "inside");
  using wrong = createClient({ ...grants, resolve: async () => ["10.0.0.1"] });
  assert.equal((await wrong.ask(`http://localhost:${server.port}/`)).code, "refused");
});

test("a name that resolves two ways is connected to where it was checked", async () => {
  await using server = await serveHttp((_, response) => response.end("inside"));
  let asked = 0;
  // The first answer is a public address, on which nothing listens here; each later one leads inward.
  const resolve = async (): Promise<readonly string[]> => {
    asked += 1;
    return asked === 1 ? ["192.0.2.1", "127.0.0.1"] : ["127.0.0.1"];
  };
  using client = createClient({ net: [{ host: "rebind.example.com" }], resolve });
  for (const _ of [1, 2, 3]) assert.equal((await client.ask(`http://rebind.example.com:${server.port}/`)).code, "refused");
  assert.equal(asked, 3);
  assert.equal(server.connections(), 0);
});
