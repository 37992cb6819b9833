/** Programs that keep a processor busy, for Belljar and for what it is compared with; each in a language's plain words. */
export const PYTHON_LOADS = {
  loop: "s = 0\nfor i in range(1_500_000): s += i & 7",
  dictionary: "d = {}\nfor i in range(400_000): d[i % 5_000] = d.get(i % 5_000, 0) + i",
  strings: "s = ''.join(str(i) for i in range(400_000)).replace('9', '').upper()",
  JSON: "import json\ndata = [{'id': i, 'name': 'n' * 20, 'values': [1, 2.5, None]} for i in range(4_000)]\nfor _ in range(5): json.loads(json.dumps(data))",
  "regular expressions": "import re\ntext = 'key=value; ' * 20_000\nfor _ in range(5): re.findall(r'(\\w+)=(\\w+)', text)",
} as const;

export const NUMPY_LOADS = {
  "numpy vectors": "import numpy as np\nx = np.linspace(0, 1, 200_000)\nfor i in range(100): x = np.sqrt(x * x + 0.5)",
  "numpy sort": "import numpy as np\nr = np.random.default_rng(1)\nfor i in range(8): np.sort(r.random(300_000))",
} as const;

export const JAVASCRIPT_LOADS = {
  loop: "let s = 0; for (let i = 0; i < 4000000; i++) s += i & 7; s",
  objects: "const d = {}; for (let i = 0; i < 600000; i++) d[i % 5000] = (d[i % 5000] ?? 0) + i; Object.keys(d).length",
  strings: "let t = ''; for (let i = 0; i < 600000; i++) t += i; t.replaceAll('9', '').length",
  sort: "const a = Array.from({ length: 200000 }, (_, i) => (i * 7919) % 200003); a.sort((x, y) => x - y)[5]",
  "regular expressions": "const t = 'key=value; '.repeat(30000); [...t.matchAll(/(\\w+)=(\\w+)/g)].length",
} as const;

/** `describe` of a small frame. */
export const PANDAS = "import pandas as pd\npd.DataFrame({'a': [1, 2, 3], 'b': [4.0, 5.5, 6.5]}).describe()";
