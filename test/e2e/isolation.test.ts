import assert from "node:assert/strict";
import { after, test } from "node:test";
import { connect } from "./driver.ts";

// One worker a language, so that the second call surely meets the place of the first.
const server = await connect(["--workers=1"]);
after(() => server[Symbol.asyncDispose]());

const PAIRS = [
  ["python", "a variable", "secret = 1", "'secret' in globals()", false],
  ["python", "a file in /tmp", "open('/tmp/leak', 'w').write('x')", "import os\nos.path.exists('/tmp/leak')", false],
  ["python", "a file in /work", "open('/work/leak', 'w').write('x')", "import os\nos.path.exists('/work/leak')", false],
  ["python", "a patched builtin", "import builtins\nbuiltins.len = lambda x: 99", "len([])", 0],
  ["python", "a patched module", "import json\njson.dumps = None", "import json\njson.dumps(1)", "1"],
  ["python", "an environment variable", "import os\nos.environ['LEAK'] = '1'", "import os\n'LEAK' in os.environ", false],
  ["python", "the current folder", "import os\nos.mkdir('/tmp/d'); os.chdir('/tmp/d')", "import os\nos.getcwd() == '/tmp/d'", false],
  ["python", "memory", "x = b'needle-7f3a' * 1000", "import gc\nany(b'needle' + b'-7f3a' in o for o in gc.get_objects() if type(o) is bytes)", false],
  ["javascript", "a variable", "globalThis.secret = 1", "typeof secret", "undefined"],
  ["javascript", "a patched prototype", "Array.prototype.map = null", "[1].map((n) => n + 1)", [2]],
  ["javascript", "a patched global", "JSON.stringify = () => 'no'", "JSON.stringify([1])", "[1]"],
] as const;

for (const [language, title, first, second, expected] of PAIRS) {
  test(`${language}: ${title} of one call is not in the next`, async () => {
    assert.equal((await server.run(language, first)).status, "ok");
    assert.deepEqual((await server.run(language, second)).result, expected);
  });
}

const RANDOM = [
  ["python", "import random\nrandom.random()"],
  ["python", "import numpy as np\nfloat(np.random.rand())"],
  ["python", "import numpy as np\nfloat(np.random.default_rng().random())"],
  ["python", "import uuid\nstr(uuid.uuid4())"],
  ["python", "import os\nos.urandom(8).hex()"],
  ["python", "import secrets\nsecrets.token_hex(8)"],
  ["javascript", "Math.random()"],
] as const;

for (const [language, code] of RANDOM) {
  test(`${language}: ${code.split("\n").at(-1) ?? ""} differs from call to call`, async () => {
    const seen = new Set<unknown>();
    for (let round = 0; round < 4; round += 1) seen.add((await server.run(language, code)).result);
    assert.equal(seen.size, 4);
    assert.ok(!seen.has(undefined));
  });
}
