import { createFuelBudget } from "../../src/engine/fuel.ts";
import { decodeFrame, encodeFrame } from "../../src/host/door.ts";
import { createBaseLayer } from "../../src/host/files/base-layer.ts";
import { createDescriptors } from "../../src/host/files/descriptors.ts";
import { createFileTree } from "../../src/host/files/tree.ts";
import { instantiatePython } from "../../src/guests/python-core.ts";

const SOURCES = "/sources.zip";
const LARGEST = 4 * 1_024 * 1_024;

export interface CompileInput {
  /** The metered module with its data segments, its memory imported. */
  readonly module: WebAssembly.Module;
  readonly memoryPages: number;
  /** The standard library's archive, and where the guest looks for it. */
  readonly stdlib: { readonly path: string; readonly bytes: Uint8Array };
  /** A zip archive of sources. */
  readonly sources: Uint8Array;
  /** The archive that they will be in, as tracebacks tell it. */
  readonly archive: string;
}

/** Compiles Python's sources by the guest itself, so that no sandbox has to: names that end in `.pyc`, with what they hold. */
export function compilePython({ module, memoryPages, stdlib, sources, archive }: CompileInput): Map<string, Uint8Array> {
  const compiled = new Map<string, Uint8Array>();
  const output: string[] = [];
  const base = createBaseLayer([stdlib, { path: SOURCES, bytes: sources }]);
  const core = instantiatePython(module, new WebAssembly.Memory({ initial: memoryPages, maximum: 65_536 }), {
    files: createDescriptors(createFileTree({ base, fileBytes: 0, now: () => 0n })),
    write: (_, bytes) => output.push(new TextDecoder().decode(bytes)),
    wait: () => {},
    look: () => {},
    clockStart: performance.now(),
    door(message) {
      const { header, payload } = decodeFrame(message, { maxHeader: 65_536, maxPayload: LARGEST });
      compiled.set(String(header["name"]), payload.slice());
      return encodeFrame({});
    },
  });
  const budget = createFuelBudget();
  budget.attach(core.meter);
  budget.begin({ limit: Number.MAX_SAFE_INTEGER, grace: 0, look: () => "continue", interrupt: () => {}, onExhausted: () => {} });
  try {
    core.initialize();
    core.execute(script(archive));
  } catch (cause) {
    throw new Error(`the Python sources could not be compiled: ${output.join("")}`, { cause });
  }
  return compiled;
}

/** Code that is never checked against a source, which isn't there (PEP 552). */
function script(archive: string): string {
  return `import _host, json, zipfile, importlib._bootstrap_external as external
with zipfile.ZipFile(${JSON.stringify(SOURCES)}) as sources:
    for name in sources.namelist():
        code = compile(sources.read(name), ${JSON.stringify(`${archive}/`)} + name, "exec", dont_inherit=True)
        told = json.dumps({"name": name + "c"}).encode()
        _host.call(told + b"\\n" + external._code_to_hash_pyc(code, bytes(8), False))
`;
}
