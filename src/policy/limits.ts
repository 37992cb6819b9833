/** The languages of the guests. */
export const LANGUAGES = ["python", "javascript"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The limits of one turn; always set, never unlimited. */
export interface Limits {
  /** Wall-clock deadline in milliseconds, waiting in the queue not counted. */
  readonly wallTimeMs: number;
  /** WebAssembly instructions, counted as wasmtime counts fuel. */
  readonly fuel: number;
  /** Ceiling of the guest's linear memory, in bytes. */
  readonly memoryBytes: number;
  /** Bytes kept of each of stdout and stderr, half head and half tail. */
  readonly outputBytes: number;
  /** Bytes that all files in the sandbox may hold together. */
  readonly fileBytes: number;
}

/** One row of the table that schema, flags, help, README and messages are made from. */
export interface LimitSpec {
  /** The name of the command's flag and, upper-cased with BELLJAR_ before it, of the variable. */
  readonly flag: string;
  /** The tools' argument that lowers it for one call, if there is one. */
  readonly argument?: string;
  readonly unit: string;
  readonly default: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly words: string;
}

export const LIMITS = {
  timeout: {
    flag: "timeout-ms",
    argument: "timeout_ms",
    unit: "ms",
    default: 30_000,
    minimum: 1,
    maximum: 3_600_000,
    words: "wall-clock deadline of one run",
  },
  fuel: {
    flag: "fuel",
    argument: "fuel",
    unit: "instructions",
    default: 200_000_000_000,
    minimum: 1_000_000,
    maximum: 1_000_000_000_000_000,
    words: "WebAssembly instructions of one run",
  },
  pythonMemory: {
    flag: "python-memory-mb",
    argument: "memory_mb",
    unit: "MiB",
    default: 512,
    minimum: 64,
    maximum: 4_095,
    words: "memory of one Python sandbox",
  },
  javascriptMemory: {
    flag: "javascript-memory-mb",
    argument: "memory_mb",
    unit: "MiB",
    default: 128,
    minimum: 16,
    maximum: 4_095,
    words: "memory of one JavaScript sandbox",
  },
  output: {
    flag: "output-bytes",
    unit: "bytes",
    default: 262_144,
    minimum: 1_024,
    maximum: 16_777_216,
    words: "kept of each of stdout and stderr (head and tail)",
  },
  files: {
    flag: "file-bytes",
    unit: "bytes",
    default: 16_777_216,
    minimum: 65_536,
    maximum: 1_073_741_824,
    words: "all files of one sandbox together",
  },
  writtenBytes: {
    flag: "folder-write-bytes",
    unit: "bytes",
    default: 268_435_456,
    minimum: 0,
    maximum: 1_099_511_627_776,
    words: "bytes that one run may write to mounted folders",
  },
  madeFiles: {
    flag: "folder-new-files",
    unit: "files",
    default: 1_000,
    minimum: 0,
    maximum: 1_000_000,
    words: "files and folders that one run may make in mounted folders",
  },
  openFiles: {
    flag: "folder-open-files",
    unit: "files",
    default: 64,
    minimum: 1,
    maximum: 200,
    words: "files of mounted folders that one run may have open at once",
  },
  code: {
    flag: "code-bytes",
    unit: "bytes",
    default: 1_048_576,
    minimum: 1_024,
    maximum: 16_777_216,
    words: "code of one call, in UTF-8",
  },
  kept: {
    flag: "kept-bytes",
    unit: "bytes",
    default: 67_108_864,
    minimum: 65_536,
    maximum: 4_294_967_296,
    words: "files of past answers, kept to be read as resources; the oldest goes first",
  },
  keptTime: {
    flag: "kept-minutes",
    unit: "minutes",
    default: 30,
    minimum: 1,
    maximum: 10_080,
    words: "how long such a file is kept",
  },
  sandboxes: {
    flag: "sandboxes",
    unit: "sandboxes",
    default: 16,
    minimum: 1,
    maximum: 1_000,
    words: "named sandboxes that are kept; with a state folder, in memory",
  },
  idle: {
    flag: "idle-minutes",
    unit: "minutes",
    default: 30,
    minimum: 1,
    maximum: 10_080,
    words: "how long an unused sandbox stays in memory when there is a state folder",
  },
  stored: {
    flag: "stored-sandboxes",
    unit: "sandboxes",
    default: 200,
    minimum: 1,
    maximum: 100_000,
    words: "named sandboxes in the state folder",
  },
  netBytes: {
    flag: "net-bytes",
    unit: "bytes",
    default: 67_108_864,
    minimum: 1_024,
    maximum: 17_179_869_184,
    words: "all that one run may send and receive over the network, unpacked",
  },
  netHeaders: {
    flag: "net-header-bytes",
    unit: "bytes",
    default: 32_768,
    minimum: 1_024,
    maximum: 1_048_576,
    words: "headers of one request, and of one response",
  },
  netTimeout: {
    flag: "net-timeout-ms",
    unit: "ms",
    default: 30_000,
    minimum: 1,
    maximum: 3_600_000,
    words: "one request, from its connection to the end of its response",
  },
  netRequests: {
    flag: "net-requests",
    unit: "requests",
    default: 1_000,
    minimum: 1,
    maximum: 1_000_000,
    words: "requests of one run, redirects among them",
  },
  netParallel: {
    flag: "net-parallel",
    unit: "requests",
    default: 16,
    minimum: 1,
    maximum: 256,
    words: "requests of one run at the same time; more wait",
  },
  queue: {
    flag: "queue",
    unit: "calls",
    default: 256,
    minimum: 1,
    maximum: 10_000,
    words: "calls that may wait for a free sandbox",
  },
} as const satisfies Record<string, LimitSpec>;

export type LimitName = keyof typeof LIMITS;
