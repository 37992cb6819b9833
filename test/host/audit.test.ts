import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openAudit } from "../../src/host/audit.ts";
import { realFolder } from "./mounts/mounted.ts";

const USES = Array.from({ length: 1_000 }, (_, at) => ({ what: "read" as const, name: `/mnt/data/${at}`, times: 1, bytes: 2 }));

const parsed = (text: string): Record<string, unknown>[] => text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));

test("each use is a line, whatever is in its name", () => {
  using folder = realFolder();
  const file = join(folder.path, "audit");
  {
    using audit = openAudit(file);
    audit.tell("box", [{ what: "read", name: '/mnt/a\n"\u2028{}', times: 1, bytes: 2 }]);
  }
  const [line, ...others] = parsed(readFileSync(file, "utf8"));
  assert.deepEqual([line?.["sandbox"], line?.["name"], others.length], ["box", '/mnt/a\n"\u2028{}', 0]);
});

test("a reader that is slow gets whole lines all the same, is not waited for, and is told how many were lost", { skip: process.platform === "win32" }, () => {
  using folder = realFolder();
  const pipe = join(folder.path, "pipe");
  execFileSync("mkfifo", [pipe]);
  const end = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  let text = "";
  const read = (): void => {
    const bytes = Buffer.alloc(4_194_304);
    try {
      for (let count = -1; count !== 0; ) {
        count = readSync(end, bytes);
        text += bytes.toString("utf8", 0, count);
      }
    } catch {
      // There is no more for now.
    }
  };
  const audit = openAudit(pipe);
  for (let times = 0; times < 30; times += 1) audit.tell("box", USES);
  for (let times = 0; times < 100; times += 1) {
    read();
    audit.tell("box", []);
  }
  audit.tell("box", USES.slice(0, 1));
  audit[Symbol.dispose]();
  read();
  closeSync(end);
  const lines = parsed(text);
  const lost = lines.reduce((sum, line) => sum + Number(line["lost"] ?? 0), 0);
  assert.ok(lost > 0);
  assert.equal(lines.filter((line) => line["name"] !== undefined).length + lost, 30_001);
});
