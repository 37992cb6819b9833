import type { Attack } from "./attack.ts";

export const attacks: readonly Attack[] = [
  { title: "sorts a huge list", language: "python", code: "import random\na = [random.random() for _ in range(200_000)]\nwhile True: sorted(a * 10)", status: ["timeout", "out_of_memory"] },
  { title: "loops in a sort key", language: "python", code: "def k(x):\n    while True: pass\nsorted([3, 2, 1], key=k)", status: "timeout" },
  { title: "compares at random while it sorts", language: "python", code: "import random\nclass K:\n    def __lt__(self, o): return random.random() < .5\nwhile True: sorted(K() for _ in range(1000))", status: "timeout" },
  { title: "changes the list that is being sorted", language: "python", code: "a = list(range(100))\ndef k(x):\n    a.append(x)\n    return x\na.sort(key=k)", status: "error" },
  { title: "loops in a comparator", language: "javascript", code: "[3, 2, 1].sort(() => { for (;;); })", status: "timeout" },
  { title: "compares at random while it sorts", language: "javascript", code: "const a = Array.from({ length: 1e5 }, Math.random);\nfor (;;) a.sort(() => Math.random() - 0.5)", status: "timeout" },
  { title: "changes the array that is being sorted", language: "javascript", code: "const a = Array.from({ length: 100 }, (_, i) => i);\na.sort(() => { a.push(1); a.length = 5; return 1 }); 1", status: "ok" },
  { title: "sorts a typed array of millions", language: "javascript", code: "const a = new Float64Array(4e6).map(Math.random);\nfor (;;) a.sort()", status: "timeout" },
];
