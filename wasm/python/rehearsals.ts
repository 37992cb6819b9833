import type { PythonImage } from "../../src/guests/python-images.ts";

const TABLE = `import numpy as np, pandas as pd
table = pd.DataFrame({"day": pd.date_range("2026-01-01", periods=4), "kind": ["a", "b", "a", None], "n": [1, 2, 3, 4], "x": [0.5, 1.25, None, 4e6]})
`;

/**
 * Code that runs as turns before an image is taken, from which the state of the turns is then taken back. The interpreter
 * has adapted its bytecode by then to what most turns do, and imported what libraries import at a first use.
 */
export const REHEARSALS: Readonly<Record<PythonImage, readonly string[]>> = {
  bare: [
    "1 + 1",
    "import math\nwords = {'a': [1, 2.5, None], 'b': {'c': 'd' * 3}}\nprint(words, sum(range(100)), math.pi)\nwords",
    "def f(x):\n    return x / 0\nf(1)",
    "import json\nfor n in range(3):\n    print(f'{n}: {json.dumps([n])}')",
    "missing_name",
    "1 +",
  ],
  data: [
    `${TABLE}table`,
    `${TABLE}table.describe()`,
    `${TABLE}print(table)\nprint(table.groupby("kind")["n"].sum())`,
    `${TABLE}import io\nagain = pd.read_csv(io.StringIO(table.to_csv(index=False)), parse_dates=["day"])\nagain.merge(table, on="n").sort_values("n").head(2)`,
    `${TABLE}table.groupby("kind").agg({"n": ["sum", "mean"], "x": "max"})`,
    `${TABLE}table["n"].value_counts()`,
    "import numpy as np\nvalues = np.arange(12.0).reshape(3, 4)\nprint(values.mean(axis=0), (values @ values.T).sum())\nvalues",
    "import numpy as np\nnp.random.default_rng(1).normal(size=3).round(2).tolist()",
  ],
  plots: [
    `import matplotlib.pyplot as plt
fig, axes = plt.subplots()
axes.plot([1, 2, 3], [1, 4, 9], label="squares")
axes.bar([1, 2], [3, 4])
axes.set_title("a title")
axes.legend()`,
    `${TABLE}table.plot(x="day", y="n")`,
  ],
  science: [],
};
