import assert from "node:assert/strict";
import { after, test } from "node:test";
import { connect } from "./driver.ts";

// The first import of the largest takes a good while on a small machine.
const server = await connect(["--timeout-ms=120000"]);
after(() => server[Symbol.asyncDispose]());

for (const name of [
  "numpy",
  "pandas",
  "scipy",
  "sklearn",
  "statsmodels",
  "matplotlib.pyplot",
  "sympy",
  "lxml",
  "sqlite3",
  "PIL",
]) {
  test(`${name} can be imported`, async () => {
    const outcome = await server.run("python", `import ${name} as it\nit.__name__`);
    assert.equal(outcome.result, name, outcome.error?.traceback ?? outcome.status);
  });
}

test("all of them together do their work in one run", async () => {
  const code = `import numpy as np, pandas as pd, scipy.stats, sklearn.linear_model as lm, statsmodels.api as sm
import sympy, sqlite3, lxml.etree, PIL.Image
x = np.arange(10.0)
y = 2 * x + 1
frame = pd.DataFrame({"x": x, "y": y})
db = sqlite3.connect(":memory:")
frame.to_sql("t", db, index=False)
{
    "pandas": float(frame.y.mean()),
    "scipy": round(scipy.stats.linregress(x, y).slope, 6),
    "sklearn": round(float(lm.LinearRegression().fit(frame[["x"]], y).coef_[0]), 6),
    "statsmodels": round(float(sm.OLS(y, sm.add_constant(x)).fit().params[1]), 6),
    "sympy": str(sympy.integrate(sympy.Symbol("t") ** 2)),
    "sqlite": db.execute("select count(*) from t").fetchone()[0],
    "lxml": lxml.etree.fromstring("<a><b/></a>")[0].tag,
    "PIL": PIL.Image.new("RGB", (2, 3)).size,
}`;
  const outcome = await server.run("python", code);
  assert.deepEqual(
    outcome.result,
    {
      pandas: 10,
      scipy: 2,
      sklearn: 2,
      statsmodels: 2,
      sympy: "t**3/3",
      sqlite: 10,
      lxml: "b",
      PIL: [2, 3],
    },
    outcome.error?.traceback ?? outcome.status,
  );
});
