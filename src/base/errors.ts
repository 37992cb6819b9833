/** Stable codes of every error that Belljar itself raises. A code never changes its meaning. */
export type ErrorCode =
  | "BAD_ARGUMENT"
  | "BAD_IMAGE"
  | "BAD_MODULE"
  | "BAD_STATE"
  | "GUEST_FAULT"
  | "GUEST_EXIT"
  | "HALTED"
  | "OUT_OF_FUEL"
  | "ENGINE_GONE"
  | "QUEUE_FULL"
  | "REFUSED"
  | "ASSET_MISSING";

const BRAND = Symbol.for("belljar.error");

/** An error with a stable code; told apart by its brand, since a bundle can hold two copies of a class. */
export class BelljarError extends Error {
  readonly code: ErrorCode;
  readonly [BRAND] = true;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "BelljarError";
    this.code = code;
  }
}

/** True for a BelljarError of any copy of this class, and of the given code when one is given. */
export function isBelljarError(value: unknown, code?: ErrorCode): value is BelljarError {
  if (typeof value !== "object" || value === null || !(BRAND in value) || !("code" in value)) return false;
  return code === undefined || value.code === code;
}

/** What was thrown, in words: an error's message, or any other value as text. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
