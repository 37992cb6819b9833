import assert from "node:assert/strict";
import { test } from "node:test";
import { isBelljarError } from "../../src/base/errors.ts";
import { assetFolder, assetText, isPacked, openAsset } from "../../src/engine/assets.ts";

test("an asset that is not there is an error of ours that names it", () => {
  assert.throws(() => openAsset("no-such-asset"), (error) => {
    assert.ok(isBelljarError(error, "ASSET_MISSING"));
    assert.match(error.message, /no-such-asset/);
    return true;
  });
});

test("run from source, assets are read from what the build made", () => {
  assert.equal(isPacked(), false);
  assert.match(assetFolder(), /dist[\\/]guests[\\/]$/);
  assert.match(assetText("versions.json"), /"numpy"/);
});
