import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalHost, grantText, isGranted, isHostOf, readDestination } from "../../../src/host/net/hosts.ts";

function placeOf(url: string): string {
  const read = readDestination(url);
  return "refusal" in read ? read.refusal : `${read.host} ${read.port} ${read.secure ? "tls" : "plain"}`;
}

const PLACES: Readonly<Record<string, string>> = {
  "https://example.com/a": "example.com 443 tls",
  "http://EXAMPLE.com:8080": "example.com 8080 plain",
  "https://example.com.": "example.com 443 tls",
  "https://exämple.com": "xn--exmple-cua.com 443 tls",
  "https://ｅxample。com": "example.com 443 tls",
  "http://[::1]/": "::1 80 plain",
  "http://0x7f.1": "127.0.0.1 80 plain",
  "http://2130706433": "127.0.0.1 80 plain",
  "http://127.1": "127.0.0.1 80 plain",
  "http://good.com\\@evil.com/": "good.com 80 plain",
  "http://evil.com#@good.com": "evil.com 80 plain",
  "http://evil.com?@good.com": "evil.com 80 plain",
  "http:\\\\evil.com/": "evil.com 80 plain",
  "http://good.com@evil.com/": "A URL must not hold a name and password. Send them in an Authorization header.",
  "file:///etc/passwd": 'Requests go by http and https, and not by "file".',
  "ftp://example.com": 'Requests go by http and https, and not by "ftp".',
  "http://example.com:25": "Port 25 belongs to another protocol, so no request is sent to it.",
};

for (const [url, place] of Object.entries(PLACES)) test(`${url} is read as browsers do`, () => assert.equal(placeOf(url), place));

test("what is no URL is refused", () => {
  for (const url of ["", "example.com", "http://", "http://a b", "http://a..b", "http://[::1", "http://1.2.3.4.5", "http://x:99999", `http://x/${"a".repeat(20_000)}`]) {
    assert.match(placeOf(url), / is no URL that can be requested/, url);
  }
});

test("a pattern names itself, or with *. all beneath it", () => {
  assert.ok(isHostOf("example.com", "EXAMPLE.com."));
  assert.ok(!isHostOf("www.example.com", "example.com"));
  assert.ok(isHostOf("www.example.com", "*.example.com"));
  assert.ok(isHostOf("a.b.example.com", "*.example.com"));
  assert.ok(!isHostOf("example.com", "*.example.com"));
  assert.ok(!isHostOf("evilexample.com", "*.example.com"));
  assert.ok(!isHostOf("example.com.evil.com", "*.example.com"));
  assert.ok(!isHostOf("10.0.0.1", "*.0.0.1"));
});

test("a grant with a port opens that port alone", () => {
  const grants = [{ host: "example.com", port: 8443 }];
  assert.ok(isGranted({ host: "example.com", port: 8443 }, grants));
  assert.ok(!isGranted({ host: "example.com", port: 443 }, grants));
  assert.ok(!isGranted({ host: "example.com", port: 443 }, []));
});

test("a host has one form, and what could be read as more than a host has none", () => {
  assert.equal(canonicalHost("0x7f.1"), "127.0.0.1");
  assert.equal(canonicalHost("::FFFF:1"), "::ffff:1");
  for (const text of ["", "a b", "a/b", "a?b", "a#b", "a@b", "a:80", "a\\b", ".", "a..b"]) assert.equal(canonicalHost(text), undefined, text);
});

test("a host is told as the flag takes it", () => {
  assert.equal(grantText({ host: "example.com", port: 443 }), "example.com");
  assert.equal(grantText({ host: "::1", port: 8080 }), "[::1]:8080");
});
