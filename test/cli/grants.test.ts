import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { parseCommandLine, readSettings } from "../../src/cli/flags.ts";
import { NO_GRANTS } from "../../src/policy/grants.ts";

const settingsOf = (args: readonly string[], env: Record<string, string> = {}) => readSettings(parseCommandLine(args).values, env);
const grantsOf = (args: readonly string[], env: Record<string, string> = {}) => settingsOf(args, env).grants;
const refuses = (args: readonly string[], message: string): void => {
  assert.throws(() => grantsOf(args), { code: "BAD_ARGUMENT", message });
};

test("without flags nothing is granted, whatever the variables of the machine are", () => {
  const { folderLimits, netLimits, ...grants } = grantsOf([], { HOME: "/root", PATH: "/bin" });
  assert.deepEqual({ ...NO_GRANTS, ...grants }, NO_GRANTS);
  assert.deepEqual(netLimits, { bytes: 67_108_864, headerBytes: 32_768, timeoutMs: 30_000, requests: 1_000, parallel: 16 });
  assert.deepEqual(folderLimits, { writtenBytes: 268_435_456, madeFiles: 1_000, openFiles: 64 });
});

test("a folder is at /mnt under its own name, or where it is told to be", () => {
  assert.deepEqual(grantsOf(["--allow-read=/srv/data", "--allow-write=out:/mnt/results"]).folders, [
    { host: "/srv/data", guest: "/mnt/data", writable: false },
    { host: resolve("out"), guest: "/mnt/results", writable: true },
  ]);
  assert.deepEqual(grantsOf(["--allow-read=.:/data/"]).folders, [{ host: resolve("."), guest: "/data", writable: false }]);
});

test("a flag given again, a comma and a variable add up to a list; a doubled comma is one", () => {
  const hosts = (args: readonly string[], env = {}) => grantsOf(args, env).folders.map(({ host }) => host);
  assert.deepEqual(hosts(["--allow-read=/a", "--allow-read=/b,/c"]), ["/a", "/b", "/c"]);
  assert.deepEqual(hosts(["--allow-read=/a,,b"]), ["/a,b"]);
  assert.deepEqual(hosts([], { BELLJAR_ALLOW_READ: "/a,/b" }), ["/a", "/b"]);
  assert.deepEqual(hosts(["--allow-read=/c"], { BELLJAR_ALLOW_READ: "/a" }), ["/c"]);
});

test("a folder that is named to be read and to be written is one to write", () => {
  assert.deepEqual(grantsOf(["--allow-read=/a", "--allow-write=/a"]).folders, [{ host: "/a", guest: "/mnt/a", writable: true }]);
});

test("a folder has a place of its own", () => {
  for (const place of ["/", "/work", "/work/x", "/tmp", "/dev/null", "/usr/local", "/a/../b", "/a//b"]) {
    assert.throws(() => grantsOf([`--allow-read=/srv:${place}`]), { message: /^--allow-read can't mount / });
  }
  refuses(
    ["--allow-read=/a/data,/b/data"],
    "Both /a/data and /b/data would be at /mnt/data. Name another place for one of them after a colon, such as DIR:/mnt/data.",
  );
  refuses(
    ["--allow-read=/a", "--allow-read=/b:/mnt/a/b"],
    "/mnt/a/b would be inside /mnt/a, where another folder is mounted. Name another place after a colon, such as DIR:/mnt/data.",
  );
});

test("a host is a name, a name with all beneath it, or an address, and may have a port", () => {
  const given = "API.example.com,*.example.org:443,localhost:8080,10.0.0.1,[::1]:80,[fe80::1]";
  assert.deepEqual(grantsOf([`--allow-net=${given}`]).net, [
    { host: "api.example.com" },
    { host: "*.example.org", port: 443 },
    { host: "localhost", port: 8080 },
    { host: "10.0.0.1" },
    { host: "::1", port: 80 },
    { host: "fe80::1" },
  ]);
  for (const wrong of ["*", "a*b.com", "http://a.com", "a.com/path", "a.com:0", "a.com:65536", "a b", "[a.com]", "-a.com"]) {
    assert.throws(() => grantsOf([`--allow-net=${wrong}`]), { message: /^--allow-net must be HOST, HOST:PORT or \*\.HOST, / }, wrong);
  }
});

test("a variable is passed with its value, and no other is", () => {
  const env = { TOKEN: "1", AWS_ONE: "2", AWS_TWO: "3", HOME: "/root" };
  assert.deepEqual(grantsOf(["--allow-env=TOKEN,UNSET"], env).env, { TOKEN: "1" });
  assert.deepEqual(grantsOf(["--allow-env=AWS_*"], env).env, { AWS_ONE: "2", AWS_TWO: "3" });
  refuses(["--allow-env=*"], '--allow-env must be the name of a variable, or its beginning and *, and was "*".');
});

test("a secret is named with its host, and its value is not among the grants", () => {
  const settings = settingsOf(["--secret", "KEY=api.example.com"], { KEY: "s3cret-value" });
  assert.deepEqual(settings.grants.secrets, [{ name: "KEY", host: "api.example.com" }]);
  assert.deepEqual(settings.secretValues, { KEY: "s3cret-value" });
  assert.deepEqual(settings.grants.env, { KEY: "belljar_secret_3_KEY" });
  for (const KEY of ["short", "two\nlines"]) {
    assert.throws(() => grantsOf(["--secret=KEY=a.com"], { KEY }), { code: "BAD_ARGUMENT", message: /^The variable KEY is named as a secret, and its value must be at least 8 characters/ });
  }
  assert.ok(!JSON.stringify(settings.grants).includes("s3cret"));
  refuses(["--secret=KEY"], '--secret must be NAME=HOST, such as API_KEY=api.example.com, and was "KEY".');
  refuses(["--secret=KEY=*.a.com"], '--secret must be NAME=HOST, such as API_KEY=api.example.com, and was "KEY=*.a.com".');
  refuses(["--secret=KEY=a.com"], "The variable KEY is named as a secret and is not set. Set it for this server, or leave --secret out.");
});
