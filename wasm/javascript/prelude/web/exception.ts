import { adoptStack } from "../stack.ts";

/** The engine's own, before the global of that name is another. */
const Native = DOMException;

/** Web IDL, section 2.8.1; the engine's own, with a stack like other errors'. */
class Exception extends Native {
  constructor(message?: string, name?: string) {
    super(message, name);
    adoptStack(this, String(this.stack));
  }
}

const native = { atob, btoa };

/** HTML Standard, section 8.3. */
function decode(data: unknown): string {
  return guarded(() => native.atob(String(data)));
}

/** HTML Standard, section 8.3. */
function encode(data: unknown): string {
  return guarded(() => native.btoa(String(data)));
}

function guarded(convert: () => string): string {
  try {
    return convert();
  } catch (error) {
    throw error instanceof Native ? new Exception(error.message, error.name) : error;
  }
}

export { decode as atob, encode as btoa, Exception as DOMException };
