import type { Attack } from "./attack.ts";

export const attacks: readonly Attack[] = [
  { title: "multiplies large matrices", language: "python", code: "import numpy as np\na = np.ones((2000, 2000))\nwhile True: a @ a", timeoutMs: 600, status: "timeout" },
  { title: "sorts a large array in one call", language: "python", code: "import numpy as np\nnp.sort(np.random.rand(20_000_000))", timeoutMs: 600, status: ["timeout", "ok"] },
  { title: "swallows the interrupt of an array loop", language: "python", code: "import numpy as np\na = np.ones(5_000_000)\nwhile True:\n    try: np.sin(a)\n    except BaseException: pass", timeoutMs: 600, status: "timeout" },
  { title: "broadcasts to more than fits", language: "python", code: "import numpy as np\nnp.ones((10_000, 1)) + np.ones((1, 10_000))", status: "out_of_memory" },
  { title: "asks for an array of eight exabytes", language: "python", code: "import numpy as np\nnp.zeros(2**60)", status: "error" },
  { title: "makes strides that lie about the memory", language: "python", code: "import numpy as np\nfrom numpy.lib.stride_tricks import as_strided\nx = as_strided(np.zeros(1), shape=(2**27,), strides=(0,))\nwhile True: x.sum()", timeoutMs: 600, status: "timeout" },
  { title: "reads beyond its array", language: "python", code: "import numpy as np\nfrom numpy.lib.stride_tricks import as_strided\nx = as_strided(np.zeros(1), shape=(2**27,), strides=(8,))\nx[2**27 - 1]", status: "crashed" },
  { title: "writes all over its own memory", language: "python", code: "import numpy as np\nfrom numpy.lib.stride_tricks import as_strided\nx = as_strided(np.zeros(1), shape=(2**24,), strides=(8,))\nx[:] = 7\n1", timeoutMs: 600, status: ["ok", "error", "crashed", "timeout", "out_of_memory"] },
  { title: "inverts a large matrix", language: "python", code: "import numpy as np\nnp.linalg.svd(np.random.rand(1500, 1500))", timeoutMs: 600, status: "timeout" },
  { title: "groups a large frame for ever", language: "python", code: "import pandas as pd, numpy as np\nf = pd.DataFrame({'a': np.arange(1_000_000) % 1000, 'b': 1.0})\nwhile True: f.groupby('a').b.sum()", timeoutMs: 800, status: "timeout" },
  // pandas counts the rows in 32 bits here, so that a machine that is fast enough is told of a size below zero.
  { title: "joins a frame with itself to a trillion rows", language: "python", code: "import pandas as pd\nf = pd.DataFrame({'a': [1] * 1_000_000})\nf.merge(f, on='a')", timeoutMs: 800, status: ["timeout", "out_of_memory", "error"] },
];
