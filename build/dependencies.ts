/** Why each package that package.json names is there. */
export const REASONS: Readonly<Record<string, string>> = {
  "@bytecodealliance/jco": "takes the JavaScript guest's component apart into its core modules",
  "@exodus/bytes": "`TextEncoder` and `TextDecoder` in the JavaScript guest",
  "@modelcontextprotocol/client": "the newest revision's client, for the tests and the build's check",
  "@modelcontextprotocol/sdk": "the client that most of today's MCP clients are built on, for the tests",
  "@modelcontextprotocol/server": "the protocol, in all its revisions",
  "@noble/hashes": "`crypto` digests in the JavaScript guest",
  "@types/node": "types of Node's own modules",
  acorn: "reads JavaScript, ahead of the guest or in it: completion values, top-level `await`",
  buffer: "`Buffer` in the JavaScript guest",
  "componentize-qjs": "QuickJS as a WebAssembly component, which is the JavaScript guest",
  "core-js-pure": "`URL` in the JavaScript guest",
  deno: "the other runtime that the end-to-end tests run on",
  dequal: "deep equality for `assert` in the JavaScript guest",
  esbuild: "makes one file of the sources",
  events: "`EventEmitter` in the JavaScript guest",
  "fast-check": "random sequences of events, and the shortest that fails, for the tests",
  fflate: "reads the wheel and matplotlib's data, which are zip archives",
  mrmime: "the type of a file that a run left",
  "node-inspect-extracted": "`console` and `inspect` as Node prints them, in the JavaScript guest",
  oxlint: "the linter",
  "path-browserify": "`path` in the JavaScript guest",
  sucrase: "TypeScript to JavaScript, ahead of the guest or in it",
  typescript: "the type check",
  zod: "checks what comes from clients and guests, and is the source of the tools' schemas",
};

/** The same for the packages that carry Node, of which npm installs the one for the machine. */
export const NODE_REASON = "Node: runs the build, and is what the binary is made from";
