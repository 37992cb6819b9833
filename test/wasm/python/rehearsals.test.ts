import assert from "node:assert/strict";
import { test } from "node:test";
import { PYTHON_IMAGES, imageFor } from "../../../src/guests/python-images.ts";
import { openSession } from "./session.ts";

const IMPORTS = { bare: "", data: "import pandas", plots: "import matplotlib", science: "import scipy" } as const;

/** What is left of a turn, where code can see it: names, source lines, objects of the rehearsals' classes, open figures. */
const LOOK = `import gc, linecache, sys, warnings
gc.unfreeze()
lines = [name for name in linecache.cache if name.startswith("<code")]
names = [name for name in vars(sys.modules["__main__"]) if not name.startswith("__") and name not in ("gc", "linecache", "sys", "warnings", "lines")]
frame = getattr(sys.modules.get("pandas"), "DataFrame", ())
plots = sys.modules.get("matplotlib.pyplot")
tables = [kept for kept in gc.get_objects() if type(kept) is frame]
last = [name for name in ("last_exc", "last_value", "last_type", "last_traceback") if hasattr(sys, name)]
(names, lines, [table.shape for table in tables], plots.get_fignums() if plots else [], last, __name__, sys._getframe().f_code.co_filename)`;

for (const { name } of PYTHON_IMAGES) {
  test(`nothing of the turns that were rehearsed is left in the image "${name}"`, async () => {
    assert.equal(imageFor(IMPORTS[name], () => true), name);
    using session = await openSession(IMPORTS[name]);
    const { status, repr } = await session.run(LOOK);
    assert.equal(status, "ok");
    assert.equal(repr, `([], ['<code>'], [], [], [], '__main__', '<code>')`);
  });
}

test("two sandboxes of one image draw other random numbers, though the image's were drawn from", async () => {
  const draw = async (): Promise<string | undefined> => {
    using session = await openSession("import pandas");
    const { repr } = await session.run("import random, numpy\n(random.random(), numpy.random.random(), numpy.random.default_rng().random())");
    return repr;
  };
  assert.notEqual(await draw(), await draw());
});
