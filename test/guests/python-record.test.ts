import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeImage } from "../../src/engine/image-file.ts";
import { loadGuest } from "../../src/guests/load.ts";
import { compileGuest } from "../../src/guests/modules.ts";
import { imageReader } from "../../src/guests/python-images.ts";
import { NO_GRANTS } from "../../src/policy/grants.ts";
import { assertEqual, corpusOf, FILE_BYTES, type Prepared, prepareSeen, type Run, runnerOf } from "./seen-memory.ts";

const MEMORY_BYTES = 512 * 1_048_576;
/** Of the corpus every so many programs: the whole of it takes minutes. */
const SAMPLE = 5;

const parts = compileGuest("python");
const guest = await loadGuest("python", parts, NO_GRANTS);
const imageOf = imageReader(await parts.rooms);

const prepare = (image: string): Promise<Prepared> => prepareSeen(guest, MEMORY_BYTES, image);
const run = runnerOf("python", MEMORY_BYTES);

/** Resets an instance that may have to be made anew. */
async function reset({ instance, memory }: Prepared, image: string, what: string): Promise<Prepared> {
  if (!instance.reset(image)) return prepare(image);
  assertEqual(memory, imageOf(image), what);
  return { instance, memory };
}

test("after each program the memory is the next one's image again, to its last byte", { timeout: 600_000 }, async () => {
  let at = await prepare("bare");
  for (const { code, files } of corpusOf("python").filter((_, index) => index % SAMPLE === 0)) {
    at = await reset(at, guest.imageFor(code, MEMORY_BYTES), code);
    await run(at.instance, code, { files });
  }
  await reset(at, "bare", "the last");
});

const STOPPED: readonly (readonly [what: string, code: string, how: Partial<Run>, status: string])[] = [
  ["runs out of fuel in numpy's loops", "import numpy as np\nx = np.ones(100_000)\nwhile True: x = x * 1.5 + x[::-1]", { fuel: 300_000_000 }, "out_of_fuel"],
  ["is ended at its deadline while it copies", "b = bytearray(40_000_000)\nwhile True:\n  try:\n    while True: b[1:] = b[:-1]\n  except BaseException: pass", { wallTimeMs: 400 }, "timeout"],
  ["recurses to its end", "def f(n): return f(n + 1) + 1\ntry: f(0)\nexcept RecursionError: pass\nimport json\njson.loads('[' * 100_000)", {}, "error"],
  ["asks for more memory than there is", "x = []\nwhile True: x.append(bytes(1_000_000))", {}, "out_of_memory"],
  ["writes backwards, by strides that wrap, and over itself", "import numpy as np\na = np.zeros(1_000_000, np.int8)\na[::-1] = 7\na[::-4097] += 1\nnp.lib.stride_tricks.as_strided(a[500_000:], (400,), (-1_000,))[:] = 3\na[1:] = a[:-1]", {}, "ok"],
  ["exits", "import os\nos._exit(3)", {}, "error"],
];

for (const [what, code, how, status] of STOPPED) {
  test(`nothing of a program stays that ${what}`, async () => {
    const image = guest.imageFor(code, MEMORY_BYTES);
    const made = await prepare(image);
    assert.equal(await run(made.instance, code, how), status);
    const again = await reset(made, image, what);
    assert.equal(await run(again.instance, "1 + 1"), "ok");
  });
}

test("what is saved of a sandbox is its whole memory, and comes back over whatever ran since", async () => {
  const { instance, memory } = await prepare("data");
  await run(instance, "import pandas as pd\ndf = pd.DataFrame({'a': range(50_000)})", { kept: true });
  await run(instance, "df['b'] = df.a * 2\ntotal = int(df.b.sum())", { kept: true });
  const saved = instance.save();
  const image = decodeImage(saved.memory, imageOf("data"));
  assertEqual(memory, image, "saved");
  for (const between of ["bare", "science"]) {
    assert.ok(memory.buffer.byteLength > 0);
    const other = await prepare(between);
    await run(other.instance, "x = [bytes(1000) for _ in range(20_000)]", { kept: true });
    if (!other.instance.load(saved, FILE_BYTES)) continue;
    assertEqual(other.memory, image, between);
    await run(other.instance, "assert total == 2_499_950_000\ndf['c'] = 1", { kept: true });
    const further = other.instance.save();
    assertEqual(other.memory, decodeImage(further.memory, imageOf("data")), `saved again after ${between}`);
  }
});
