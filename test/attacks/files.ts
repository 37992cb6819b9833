import assert from "node:assert/strict";
import type { Attack, Check } from "./attack.ts";

const full: Check = ({ error }) => assert.match(error?.message ?? "", /No space left|\[Errno \d+\]/);

export const attacks: readonly Attack[] = [
  { title: "makes a million files", language: "python", code: "for i in range(10**6): open(f'/work/{i}', 'w').close()", timeoutMs: 6_000, status: ["error", "timeout"], also: (o) => o.status === "error" && full(o) },
  { title: "makes a million folders", language: "python", code: "import os\nfor i in range(10**6): os.mkdir(f'/work/{i}')", timeoutMs: 6_000, status: ["error", "timeout"], also: (o) => o.status === "error" && full(o) },
  { title: "makes folders in folders", language: "python", code: "import os\nfor i in range(10**5):\n    os.mkdir('d'); os.chdir('d')", timeoutMs: 1_000, status: ["error", "timeout"] },
  { title: "writes a sparse file of a terabyte", language: "python", code: "f = open('/tmp/x', 'wb')\nf.seek(2**40)\nf.write(b'x'); f.flush()", status: "error", also: full },
  { title: "truncates a file to exabytes", language: "python", code: "open('/tmp/x', 'wb').truncate(2**62)", status: "error" },
  { title: "writes a gigabyte into a file", language: "python", code: "f = open('/tmp/x', 'wb')\nwhile True: f.write(b'x' * 1_000_000)", status: "error", also: full },
  { title: "fills deleted files that it keeps open", language: "python", code: "import os\na = []\nfor i in range(200):\n    f = open(f'/tmp/{i}', 'wb', 0); os.remove(f'/tmp/{i}'); f.write(b'x' * 10**6); a.append(f)", status: "error", also: full },
  { title: "links and renames in circles", language: "python", code: "import os\nos.symlink('a', '/tmp/b'); os.symlink('b', '/tmp/a')\nopen('/tmp/a')", status: "error" },
  { title: "makes links with targets of four kilobytes", language: "python", code: "import os\nfor i in range(10**6): os.symlink('x' * 4000, f'/tmp/{i}')", status: "error", also: full },
  { title: "names a file with a megabyte", language: "python", code: "open('/tmp/' + 'x' * 10**6, 'w')", status: "error" },
  { title: "grows and shrinks a file for ever", language: "python", code: "f = open('/tmp/x', 'wb', 0)\nwhile True: f.truncate(10_000_000); f.truncate(0)", status: "timeout" },
  { title: "lists a folder that it changes", language: "python", code: "import os\nfor i in range(1000): open(f'/tmp/{i}', 'w').close()\nfor e in os.scandir('/tmp'):\n    open(e.path + 'x', 'w').close()\n1", timeoutMs: 1_000, status: ["ok", "error", "timeout"] },
  { title: "unpacks a zip bomb into memory", language: "python", code: "import zipfile, io\nb = io.BytesIO()\nwith zipfile.ZipFile(b, 'w', zipfile.ZIP_DEFLATED) as z:\n    with z.open('x', 'w', force_zip64=True) as f:\n        for _ in range(100): f.write(bytes(10**7))\nzipfile.ZipFile(b).read('x')", timeoutMs: 1_000, status: ["timeout", "out_of_memory"] },
  { title: "unpacks a zip bomb into files", language: "python", code: "import zipfile, io\nb = io.BytesIO()\nwith zipfile.ZipFile(b, 'w', zipfile.ZIP_DEFLATED) as z:\n    with z.open('x', 'w') as f:\n        for _ in range(5): f.write(bytes(10**7))\nzipfile.ZipFile(b).extractall('/work')", timeoutMs: 1_000, status: ["error", "timeout"] },
  { title: "inflates a bomb of gzip", language: "python", code: "import zlib\nb = zlib.compress(bytes(10**8))\nb = zlib.decompress(b) + zlib.decompress(b) + zlib.decompress(b) + zlib.decompress(b) + zlib.decompress(b)", timeoutMs: 1_000, status: ["timeout", "out_of_memory"] },
  { title: "fills a database in memory", language: "python", code: "import sqlite3\nc = sqlite3.connect(':memory:')\nc.execute('create table t(x)')\nwhile True: c.execute('insert into t values (zeroblob(10000000))')", timeoutMs: 1_000, status: ["out_of_memory", "error", "timeout"] },
  { title: "makes SQLite allocate a blob of two gigabytes", language: "python", code: "import sqlite3\nsqlite3.connect(':memory:').execute('select zeroblob(2147483647)').fetchall()", status: "error" },
  { title: "opens an image that says it is huge", language: "python", code: "import zlib, struct, io\nfrom PIL import Image\ndef c(t, d): return struct.pack('>I', len(d)) + t + d + struct.pack('>I', zlib.crc32(t + d))\np = b'\\x89PNG\\r\\n\\x1a\\n' + c(b'IHDR', struct.pack('>IIBBBBB', 100000, 100000, 8, 6, 0, 0, 0)) + c(b'IDAT', zlib.compress(bytes(1000))) + c(b'IEND', b'')\nImage.open(io.BytesIO(p)).load()", status: ["error", "out_of_memory"] },
  { title: "writes files until none fits", language: "javascript", code: "const fs = require('fs'); for (let i = 0; ; i++) fs.writeFileSync('/work/' + i, 'x'.repeat(1e6))", timeoutMs: 1_000, status: ["error", "out_of_memory", "timeout"] },
  { title: "makes files without content", language: "javascript", code: "const fs = require('fs'); for (let i = 0; ; i++) fs.writeFileSync('/work/' + i, '')", timeoutMs: 1_000, status: ["error", "out_of_memory", "timeout"] },
];
