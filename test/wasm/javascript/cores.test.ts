import assert from "node:assert/strict";
import { test } from "node:test";
import { isBelljarError } from "../../../src/base/errors.ts";
import { pickCores } from "../../../wasm/javascript/cores.ts";

const EMPTY = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);

test("a component without the engine's modules is refused", () => {
  const files = [["guest.js", new Uint8Array(4)], ["guest.core.wasm", EMPTY]] as const;
  assert.throws(() => pickCores(files), (error) => isBelljarError(error, "BAD_MODULE"));
});
