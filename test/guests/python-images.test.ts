import assert from "node:assert/strict";
import { test } from "node:test";
import { imageFor } from "../../src/guests/python-images.ts";

const any = (): boolean => true;

test("code starts from the image that holds what it imports", () => {
  assert.equal(imageFor("import json\nprint('import pandas')", any), "bare");
  assert.equal(imageFor("import json, pandas as pd", any), "data");
  assert.equal(imageFor("  from matplotlib import pyplot as plt", any), "plots");
  assert.equal(imageFor("import numpy as np\nfrom scipy import stats", any), "science");
});

test("a table that draws itself starts from the image with matplotlib", () => {
  assert.equal(imageFor("import pandas as pd\ndf = pd.DataFrame({'x': [1]})\ndf.plot(x='x')", any), "plots");
  assert.equal(imageFor("import pandas as pd\ndf.explot", any), "data");
});

test("an image that doesn't fit the memory gives way to a smaller one", () => {
  assert.equal(imageFor("import sklearn", (name) => name !== "science"), "plots");
  assert.equal(imageFor("import sklearn", () => false), "bare");
});

test("a sandbox that is kept starts with data at hand", () => {
  assert.equal(imageFor("1 + 1", any, true), "data");
});
