import { timerGlobals } from "../timers.ts";
import { Event, EventTarget } from "./events.ts";
import { DOMException } from "./exception.ts";

const reasons = new WeakMap<AbortSignal, { aborted: boolean; reason: unknown }>();
const GUARD = Symbol("made by an AbortController");

function stateOf(signal: AbortSignal): { aborted: boolean; reason: unknown } {
  const found = reasons.get(signal);
  if (found === undefined) throw new TypeError("Illegal invocation: not an AbortSignal");
  return found;
}

function abort(signal: AbortSignal, reason: unknown = new DOMException("This operation was aborted", "AbortError")): void {
  const state = stateOf(signal);
  if (state.aborted) return;
  state.aborted = true;
  state.reason = reason;
  signal.dispatchEvent(new Event("abort"));
}

/** DOM Standard, section 3.2. */
export class AbortSignal extends EventTarget {
  onabort: ((event: Event) => unknown) | null = null;

  constructor(guard?: unknown) {
    if (guard !== GUARD) throw new TypeError("Illegal constructor");
    super();
    reasons.set(this, { aborted: false, reason: undefined });
  }
  static abort(reason?: unknown): AbortSignal {
    const signal = new AbortSignal(GUARD);
    abort(signal, reason);
    return signal;
  }
  static timeout(milliseconds: number): AbortSignal {
    const signal = new AbortSignal(GUARD);
    timerGlobals.setTimeout(() => abort(signal, new DOMException("The operation was aborted due to timeout", "TimeoutError")), milliseconds);
    return signal;
  }
  static any(signals: Iterable<AbortSignal>): AbortSignal {
    const signal = new AbortSignal(GUARD);
    for (const source of signals) {
      if (source.aborted) abort(signal, source.reason);
      else source.addEventListener("abort", () => abort(signal, source.reason), { once: true });
    }
    return signal;
  }
  get aborted(): boolean {
    return stateOf(this).aborted;
  }
  get reason(): unknown {
    return stateOf(this).reason;
  }
  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }
}

/** DOM Standard, section 3.1. */
export class AbortController {
  readonly signal: AbortSignal = new AbortSignal(GUARD);

  abort(reason?: unknown): void {
    abort(this.signal, reason);
  }
}
