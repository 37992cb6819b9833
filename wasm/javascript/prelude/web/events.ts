import { DOMException } from "./exception.ts";

const state = new WeakMap<Event, { target: EventTarget | null; stopped: boolean; prevented: boolean; dispatching: boolean }>();

function stateOf(event: Event): { target: EventTarget | null; stopped: boolean; prevented: boolean; dispatching: boolean } {
  const found = state.get(event);
  if (found === undefined) throw new TypeError("Illegal invocation: not an Event");
  return found;
}

/** DOM Standard, section 2.2, without a tree to travel. */
export class Event {
  static readonly NONE = 0;
  static readonly AT_TARGET = 2;
  readonly type: string;
  readonly bubbles: boolean;
  readonly cancelable: boolean;
  readonly composed: boolean;
  readonly timeStamp: number = performance.now();
  readonly isTrusted = false;

  constructor(type: unknown, init: { bubbles?: boolean; cancelable?: boolean; composed?: boolean } = {}) {
    this.type = String(type);
    this.bubbles = Boolean(init.bubbles);
    this.cancelable = Boolean(init.cancelable);
    this.composed = Boolean(init.composed);
    state.set(this, { target: null, stopped: false, prevented: false, dispatching: false });
  }
  get target(): EventTarget | null {
    return stateOf(this).target;
  }
  get currentTarget(): EventTarget | null {
    const { target, dispatching } = stateOf(this);
    return dispatching ? target : null;
  }
  get defaultPrevented(): boolean {
    return stateOf(this).prevented;
  }
  get eventPhase(): number {
    return stateOf(this).dispatching ? Event.AT_TARGET : Event.NONE;
  }
  preventDefault(): void {
    if (this.cancelable) stateOf(this).prevented = true;
  }
  stopPropagation(): void {}
  stopImmediatePropagation(): void {
    stateOf(this).stopped = true;
  }
  composedPath(): EventTarget[] {
    const target = this.currentTarget;
    return target === null ? [] : [target];
  }
}

/** DOM Standard, section 2.4. */
export class CustomEvent extends Event {
  readonly detail: unknown;

  constructor(type: unknown, init: { detail?: unknown; bubbles?: boolean; cancelable?: boolean } = {}) {
    super(type, init);
    this.detail = init.detail ?? null;
  }
}

type Handler = ((event: Event) => unknown) | { handleEvent(event: Event): unknown };

interface Listener {
  readonly type: string;
  readonly callback: Handler;
  readonly capture: boolean;
  readonly once: boolean;
  removed: boolean;
}

interface ListenerOptions {
  readonly capture?: boolean;
  readonly once?: boolean;
  readonly signal?: EventTarget & { readonly aborted: boolean };
}

const listeners = new WeakMap<EventTarget, Listener[]>();

/** DOM Standard, section 2.7. What a listener throws ends the run, as an uncaught error of a timer does. */
export class EventTarget {
  constructor() {
    listeners.set(this, []);
  }
  addEventListener(type: unknown, callback: Handler | null, options: ListenerOptions | boolean = {}): void {
    if (callback === null || callback === undefined) return;
    const { capture = false, once = false, signal } = typeof options === "boolean" ? { capture: options } : options;
    if (signal?.aborted) return;
    const list = listenersOf(this);
    if (list.some((known) => known.type === String(type) && known.callback === callback && known.capture === capture)) return;
    list.push({ type: String(type), callback, capture, once, removed: false });
    signal?.addEventListener("abort", () => this.removeEventListener(type, callback, { capture }), { once: true });
  }
  removeEventListener(type: unknown, callback: Handler | null, options: ListenerOptions | boolean = {}): void {
    const capture = typeof options === "boolean" ? options : (options.capture ?? false);
    const list = listenersOf(this);
    const index = list.findIndex((known) => known.type === String(type) && known.callback === callback && known.capture === capture);
    const [removed] = index < 0 ? [] : list.splice(index, 1);
    if (removed) removed.removed = true;
  }
  dispatchEvent(event: Event): boolean {
    const eventState = stateOf(event);
    if (eventState.dispatching) throw new DOMException("The event is already being dispatched", "InvalidStateError");
    Object.assign(eventState, { target: this, dispatching: true, stopped: false });
    const property: unknown = Reflect.get(this, `on${event.type}`);
    try {
      if (typeof property === "function") property.call(this, event);
      for (const listener of [...listenersOf(this)]) {
        if (listener.type !== event.type || listener.removed || eventState.stopped) continue;
        if (listener.once) this.removeEventListener(listener.type, listener.callback, { capture: listener.capture });
        if (typeof listener.callback === "function") listener.callback.call(this, event);
        else listener.callback.handleEvent(event);
      }
    } finally {
      eventState.dispatching = false;
    }
    return !eventState.prevented;
  }
}

function listenersOf(target: EventTarget): Listener[] {
  const list = listeners.get(target);
  if (list === undefined) throw new TypeError("Illegal invocation: not an EventTarget");
  return list;
}
