import assert from "node:assert/strict";
import { after, test } from "node:test";
import { connect } from "../e2e/driver.ts";

const server = await connect();
after(() => server[Symbol.asyncDispose]());

const draw = (figures: number): string =>
  `import matplotlib.pyplot as plt\nfor i in range(${figures}):\n    plt.figure(figsize=(1, 1)); plt.plot([1, i])\nNone`;

test("ten figures are sent, and of eleven ten with a word about the rest", async () => {
  const ten = await server.call("execute_python", { code: draw(10) });
  assert.equal(ten.images.length, 10);
  const eleven = await server.call("execute_python", { code: draw(11) });
  assert.equal(eleven.images.length, 10);
  assert.match(eleven.text, /first 10 pictures|picture[s]? left out/);
});

test("pictures of more than sixteen megabytes together are left out, and that is told", async () => {
  const code = "import _host\nm = b'{\"op\":\"picture\",\"name\":\"x\",\"mime_type\":\"image/png\"}\\n' + b'x' * 6_000_000\nfor _ in range(4): _host.call(m)";
  const { notes } = await server.run("python", code);
  assert.deepEqual(notes, ["2 pictures left out: at most 10 are kept of one run, and 16,777,216 bytes of them."]);
});

test("a figure is scaled down to the largest side that models see", async () => {
  const { images } = await server.call("execute_python", { code: "import matplotlib.pyplot as plt\nplt.figure(figsize=(40, 20), dpi=100); plt.plot([1, 2])\nNone" });
  const header = Buffer.from(images[0] ?? "", "base64");
  assert.equal(Math.max(header.readUInt32BE(16), header.readUInt32BE(20)), 1_568);
});
