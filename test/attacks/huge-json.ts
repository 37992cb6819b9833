import type { Attack } from "./attack.ts";

export const attacks: readonly Attack[] = [
  { title: "writes two hundred megabytes of JSON", language: "python", code: "import json\njson.dumps([list(range(1000))] * 50_000)", timeoutMs: 1_000, status: ["timeout", "out_of_memory"] },
  { title: "reads fifty megabytes of JSON", language: "python", code: "import json\njson.loads('[' + '1,' * 25_000_000 + '1]')", timeoutMs: 1_000, status: ["timeout", "out_of_memory"] },
  { title: "writes two hundred megabytes of JSON", language: "javascript", code: "const a = Array.from({ length: 1000 }, (_, i) => i); JSON.stringify(new Array(50000).fill(a))", timeoutMs: 1_000, status: ["timeout", "out_of_memory", "error"] },
  { title: "reads twenty megabytes of JSON", language: "javascript", code: "JSON.parse('[' + '1,'.repeat(1e7) + '1]')", timeoutMs: 1_000, status: ["timeout", "out_of_memory", "error"] },
  { title: "loops in toJSON", language: "javascript", code: "JSON.stringify({ toJSON() { for (;;); } })", status: "timeout" },
  { title: "loops in a reviver", language: "javascript", code: "JSON.parse('[1]', () => { for (;;); })", status: "timeout" },
  { title: "indents deep JSON by ten", language: "javascript", code: "let a = 1; for (let i = 0; i < 2000; i++) a = [a, 1]; JSON.stringify(a, null, 10).length", timeoutMs: 1_000, status: ["ok", "timeout", "error", "out_of_memory"] },
];
