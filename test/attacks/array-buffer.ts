import type { Attack } from "./attack.ts";

export const attacks: readonly Attack[] = [
  { title: "makes a buffer of eight gigabytes", language: "javascript", code: "new ArrayBuffer(2 ** 33)", status: "error" },
  { title: "makes buffers until none fits", language: "javascript", code: "const a = []; for (;;) a.push(new ArrayBuffer(1e6))", status: ["out_of_memory", "error"] },
  { title: "grows a resizable buffer", language: "javascript", code: "const b = new ArrayBuffer(8, { maxByteLength: 2 ** 30 }); for (let n = 8; ; n *= 2) b.resize(n)", status: ["out_of_memory", "error"] },
  { title: "shrinks a buffer beneath its view", language: "javascript", code: "const b = new ArrayBuffer(1e6, { maxByteLength: 1e6 }); const v = new Uint8Array(b); v.fill(1); b.resize(8); v[999999]", status: "ok" },
  { title: "detaches a buffer while it is sorted", language: "javascript", code: "const a = new Float64Array(1000).map(Math.random); a.sort(() => { a.buffer.transfer(); return 1 }); 1", status: "ok" },
  { title: "detaches a buffer while it is filled", language: "javascript", code: "const a = new Uint8Array(1e6); a.fill({ valueOf() { a.buffer.transfer(); return 7 } }); a.length", status: "error" },
  { title: "returns the bytes of a large buffer", language: "javascript", code: "new ArrayBuffer(5e7)", status: "ok" },
  { title: "reads before a buffer's beginning", language: "javascript", code: "new DataView(new ArrayBuffer(8)).getInt32(-4)", status: "error" },
  { title: "makes a memory of its own", language: "javascript", code: "new WebAssembly.Memory({ initial: 65536 })", status: "error" },
];
