import assert from "node:assert/strict";
import { test } from "node:test";
import { openSession } from "./session.ts";

const PNG = [0x89, 0x50, 0x4e, 0x47];

/** Width and height, as the header of a PNG tells them. */
function size(bytes: Uint8Array): readonly [number, number] {
  assert.deepEqual([...bytes.subarray(0, 4)], PNG);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return [view.getUint32(16), view.getUint32(20)];
}

test("sends each figure once: at show or at the end, with no noise beside it", async () => {
  using session = await openSession("import matplotlib");
  const drawn = await session.run("import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\nplt.hist([1, 2, 2])");
  assert.deepEqual([drawn.error, drawn.result, drawn.stderr, drawn.notes], [undefined, undefined, "", undefined]);
  assert.deepEqual(drawn.pictures.map(({ name }) => name), ["figure-1.png", "figure-2.png"]);
  assert.deepEqual(drawn.pictures.map(({ bytes }) => size(bytes)), [[640, 480], [640, 480]]);
  assert.deepEqual((await session.run("1")).pictures, []);
  const wide = await session.run("f = plt.figure(figsize=(40, 10), dpi=200); plt.title('漢字 αβ Привет'); plt.close(); f");
  assert.equal(size(wide.pictures[0]?.bytes ?? new Uint8Array(32))[0], 1_568);
  assert.match(wide.notes?.[0] ?? "", /no glyph for '漢字'/);
  const many = await session.run("plt.switch_backend('TkAgg')\nfor i in range(12):\n    plt.figure()");
  assert.equal(many.pictures.length, 10);
  assert.match(many.notes?.[0] ?? "", /first 10/);
  const broken = await session.run("plt.title(r'$\\badmath{$'); 1");
  assert.deepEqual([broken.status, broken.result], ["ok", 1]);
  assert.match(broken.notes?.[0] ?? "", /could not be drawn/);
});

test("sends an image of PIL's, scaled down", async () => {
  using session = await openSession("import PIL");
  const { pictures } = await session.run("from PIL import Image\nImage.new('RGBA', (3136, 100), 'red')");
  assert.deepEqual(pictures.map(({ bytes }) => size(bytes)), [[1_568, 50]]);
});

test("makes a picture smaller that can't be packed, so that its bytes stay few", async () => {
  using session = await openSession("import matplotlib");
  const noise = "import numpy as np\nfrom PIL import Image\nnoise = np.random.randint(0, 256, (1568, 1568, 3), dtype=np.uint8)\n";
  const image = await session.run(`${noise}Image.fromarray(noise)`);
  const figure = await session.run(`${noise}import matplotlib.pyplot as plt\nplt.figure(figsize=(15, 15)).figimage(noise)\nNone`);
  for (const { notes, pictures } of [image, figure]) {
    const [bytes = new Uint8Array(32)] = pictures.map((picture) => picture.bytes);
    assert.ok(pictures.length === 1 && bytes.length <= 1_048_576, `${String(bytes.length)} ${String(notes)}`);
    assert.ok(Math.max(...size(bytes)) > 400);
  }
  const plain = await session.run(`Image.new("RGB", (1568, 1568))`);
  assert.deepEqual(plain.pictures.map(({ bytes }) => size(bytes)), [[1_568, 1_568]]);
});
