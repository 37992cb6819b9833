import type { Attack } from "./attack.ts";

export const attacks: readonly Attack[] = [
  { title: "loops while its figure is drawn", language: "python", code: "import matplotlib.pyplot as plt\nfrom matplotlib.artist import Artist\nclass A(Artist):\n    def draw(self, r):\n        while True: pass\nplt.figure().add_artist(A())\n1", timeoutMs: 1_000, status: "timeout" },
  { title: "draws a figure of a square kilometre", language: "python", code: "import matplotlib.pyplot as plt\nplt.figure(figsize=(40000, 40000), dpi=1000)\n1", timeoutMs: 1_000, status: ["ok", "timeout", "out_of_memory"] },
  { title: "returns an image of a gigapixel", language: "python", code: "from PIL import Image\nImage.new('RGB', (30000, 30000))", status: "out_of_memory" },
  { title: "returns an image of fifty megapixels", language: "python", code: "from PIL import Image\nImage.new('L', (10000, 5000))", timeoutMs: 1_000, status: ["ok", "timeout"] },
];
