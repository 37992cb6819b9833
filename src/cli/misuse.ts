import { BelljarError } from "../base/errors.ts";

/** A wrong use of the command; its message is the sentence to print. */
export function misuse(message: string): BelljarError {
  return new BelljarError("BAD_ARGUMENT", message);
}

/** Something that was asked for rightly and can't be done; its message is the sentence to print. */
export function refusal(message: string): BelljarError {
  return new BelljarError("REFUSED", message);
}
