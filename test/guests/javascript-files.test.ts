import assert from "node:assert/strict";
import { test } from "node:test";
import { openSession, run } from "./javascript-session.ts";

/** Code that uses files of its own, and its value. */
const USES: readonly (readonly [code: string, result: unknown])[] = [
  ["import fs from 'node:fs';\nfs.writeFileSync('a.txt', 'héllo'); fs.readFileSync('/work/a.txt', 'utf8')", "héllo"],
  ["const fs = require('fs'); fs.writeFileSync('b', new Uint8Array([0, 255])); [...fs.readFileSync('b')]", [0, 255]],
  ["const fs = require('fs'); fs.writeFileSync('l', 'é', 'latin1'); [fs.statSync('l').size, fs.readFileSync('l', 'latin1'), fs.readFileSync('l', { encoding: 'hex' })]", [1, "é", "e9"]],
  ["const fs = require('fs'); fs.appendFileSync('c', '1\\n'); fs.appendFileSync('c', '2\\n'); fs.readFileSync('c', 'utf-8').split('\\n')", ["1", "2", ""]],
  ["const fs = require('fs'); fs.mkdirSync('d/e/f', { recursive: true }); fs.writeFileSync('d/e/x', ''); [fs.readdirSync('d/e'), fs.readdirSync('d', { recursive: true })]", [["f", "x"], ["e", "e/f", "e/x"]]],
  ["const fs = require('fs'); fs.mkdirSync('g'); fs.writeFileSync('g/x', 'y'); fs.readdirSync('g', { withFileTypes: true }).map(e => [e.name, e.isFile(), e.isDirectory()])", [["x", true, false]]],
  ["const fs = require('fs'); fs.writeFileSync('h', '12345'); const s = fs.statSync('h'); [s.size, s.isFile(), s.mtime instanceof Date, Math.abs(Date.now() - s.mtimeMs) < 5000]", [5, true, true, true]],
  ["const fs = require('fs'); fs.writeFileSync('i', '1'); fs.renameSync('i', 'j'); fs.copyFileSync('j', 'k'); [fs.existsSync('i'), fs.existsSync('j'), fs.readFileSync('k', 'utf8')]", [false, true, "1"]],
  ["const fs = require('fs'); fs.mkdirSync('m/n', { recursive: true }); fs.writeFileSync('m/n/o', ''); fs.rmSync('m', { recursive: true }); fs.rmSync('none', { force: true }); fs.existsSync('m')", false],
  ["const fs = require('fs'); fs.writeFileSync('t', 'target'); fs.symlinkSync('t', 'link'); [fs.readlinkSync('link'), fs.readFileSync('link', 'utf8'), fs.lstatSync('link').isSymbolicLink()]", ["t", "target", true]],
  ["const fs = require('fs'); fs.writeFileSync('u', 'abcdef'); fs.truncateSync('u', 2); fs.readFileSync('u', 'utf8')", "ab"],
  ["import { readFile, writeFile } from 'node:fs/promises';\nawait writeFile('v', 'later'); await readFile('v', 'utf8')", "later"],
  ["const fs = require('fs'); await new Promise((resolve, reject) => fs.writeFile('w', 'cb', e => e ? reject(e) : fs.readFile('w', 'utf8', (e, text) => resolve(text))))", "cb"],
  ["const fs = require('fs'); const d = fs.mkdtempSync('/tmp/x-'); fs.statSync(d).isDirectory()", true],
  ["const fs = require('fs'); fs.writeFileSync(new URL('file:///work/z%20z'), 'u'); fs.readdirSync('/work').includes('z z')", true],
  ["const fs = require('fs'); fs.writeFileSync('x1', ''); try { fs.writeFileSync('x1', '', { flag: 'wx' }) } catch (e) { e.code }", "EEXIST"],
];

for (const [code, result] of USES) {
  test(`uses files: ${code}`, async () => {
    const ran = await run(code);
    assert.equal(ran.error, undefined);
    assert.deepEqual(ran.result, result);
  });
}

for (const [code, words] of [
  ["readFileSync('none')", "ENOENT: no such file or directory, open '/work/none'"],
  ["readdirSync('none')", "ENOENT: no such file or directory, scandir '/work/none'"],
  ["readFileSync('/work')", "EISDIR: illegal operation on a directory, open '/work'"],
  ["mkdirSync('/work')", "EEXIST: file already exists, mkdir '/work'"],
  ["mkdirSync('/nowhere')", "EROFS: read-only file system, mkdir '/nowhere'"],
  ["renameSync('none', 'other')", "ENOENT: no such file or directory, rename '/work/none' -> '/work/other'"],
  ["writeFileSync('/work/../../etc/x', '')", "ENOENT: no such file or directory, open '/etc/x'"],
  ["writeFileSync('a\\0b', '')", "EINVAL: invalid argument, open '/work/a\u0000b'"],
  ["writeFileSync('n'.repeat(256), '')", `ENAMETOOLONG: name too long, open '/work/${"n".repeat(256)}'`],
] as const) {
  test(`tells as Node does that it can't: ${code}`, async () => {
    const { error } = await run(`require('fs').${code}`);
    assert.equal(error?.message, words);
  });
}

test("files last from turn to turn, and are told as changes", async () => {
  const session = await openSession();
  await session.run("require('fs').writeFileSync('out/../kept.csv', 'a,b')", { fileBytes: 100_000 });
  assert.deepEqual(session.instance.changes(10).files.map(({ path }) => path), ["/work/kept.csv"]);
  assert.equal((await session.run("require('fs').readFileSync('kept.csv', 'utf8')")).result, "a,b");
  assert.deepEqual(session.instance.changes(10).files, []);
});

test("files have room up to the limit and no further", async () => {
  const code = (size: number): string => `const fs = require('fs'); try { fs.writeFileSync('big', new Uint8Array(${size})); 'fits' } catch (e) { e.code }`;
  assert.equal((await run(code(90_000), { fileBytes: 100_000 })).result, "fits");
  assert.equal((await run(code(100_001), { fileBytes: 100_000 })).result, "ENOSPC");
});
