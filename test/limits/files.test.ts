import assert from "node:assert/strict";
import { after, test } from "node:test";
import { CAPS } from "../../src/host/files/caps.ts";
import { connect } from "../e2e/driver.ts";

const LIMIT = 65_536;
const server = await connect([`--file-bytes=${LIMIT}`]);
after(() => server[Symbol.asyncDispose]());

const NO_SPACE = "import errno\ndef full(f):\n    try: f()\n    except OSError as e: return errno.errorcode[e.errno]\n    return 'fits'\n";
const python = async (code: string): Promise<unknown> => (await server.run("python", NO_SPACE + code)).result;

test("a file that fills the limit with its name can be written, and a byte more can not", async () => {
  const room = LIMIT - CAPS.entryBytes;
  assert.equal(await python(`full(lambda: open('/work/a', 'wb', 0).write(bytes(${room})))`), "fits");
  assert.equal(await python(`full(lambda: open('/work/a', 'wb', 0).write(bytes(${room + 1})))`), "ENOSPC");
});

test("what is deleted can be written again", async () => {
  assert.equal(await python("import os\nfor _ in range(20):\n    with open('/tmp/a', 'wb') as f: f.write(bytes(60_000))\n    os.remove('/tmp/a')\n'done'"), "done");
});

const SIDE_DOORS = [
  ["names", "def f():\n    for i in range(1000): open(f'/tmp/{i}', 'w').close()"],
  ["folders", "import os\ndef f():\n    for i in range(1000): os.mkdir(f'/tmp/{i}')"],
  ["links", "import os\ndef f():\n    for i in range(1000): os.symlink('x' * 1000, f'/tmp/{i}')"],
  ["second names", "import os\ndef f():\n    open('/tmp/x', 'w').close()\n    for i in range(1000): os.link('/tmp/x', f'/tmp/{i}')"],
  ["holes", "def f(): open('/tmp/x', 'wb').truncate(100_000)"],
  ["deleted files that are open", "import os\na = []\ndef f():\n    for i in range(10):\n        a.append(open('/tmp/x', 'wb', 0)); os.remove('/tmp/x'); a[-1].write(bytes(20_000))"],
  ["both folders together", "def f():\n    for d in ('tmp', 'work'): open(f'/{d}/x', 'wb', 0).write(bytes(40_000))"],
] as const;
for (const [title, code] of SIDE_DOORS) {
  test(`${title} are charged`, async () => {
    assert.equal(await python(`${code}\nfull(f)`), "ENOSPC");
  });
}

test("files of the arguments are charged, and too many are refused", async () => {
  const files = (bytes: number): object[] => [{ path: "a.txt", text: "x".repeat(bytes) }];
  const fits = await server.run("python", "len(open('/work/a.txt').read())", { files: files(60_000) });
  assert.equal(fits.result, 60_000);
  const { isError, text } = await server.call("execute_python", { code: "1", files: files(70_000) });
  assert.equal(isError, true);
  assert.match(text, /65,536|No space|too/);
});

test("the code can catch that its files are full, and what it wrote before is there", async () => {
  const code = "f = open('/tmp/x', 'wb', 0)\nn = 0\ntry:\n    while True: n += f.write(bytes(1000))\nexcept OSError: pass\nimport os\nn == os.stat('/tmp/x').st_size and n > 60_000";
  assert.equal((await server.run("python", code)).result, true);
});
