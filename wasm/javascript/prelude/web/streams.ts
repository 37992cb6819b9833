import { TextDecoder } from "@exodus/bytes/encoding-lite.js";

interface Controller {
  enqueue(chunk: unknown): void;
  close(): void;
  error(reason: unknown): void;
  readonly desiredSize: number;
}

interface Source {
  readonly start?: (controller: Controller) => unknown;
  readonly pull?: (controller: Controller) => unknown;
  readonly cancel?: (reason: unknown) => unknown;
}

type Result = { readonly value: unknown; readonly done: boolean };

interface Reader {
  read(): Promise<Result>;
  cancel(reason?: unknown): Promise<void>;
  releaseLock(): void;
  readonly closed: Promise<void>;
}

interface Writable {
  getWriter(): { write(chunk: unknown): Promise<void>; close(): Promise<void>; abort(reason?: unknown): Promise<void> };
}

interface State {
  readonly source: Source;
  readonly queue: unknown[];
  readonly controller: Controller;
  started: Promise<unknown>;
  /** Resolved, and made anew, with each thing that the source does. */
  changed: PromiseWithResolvers<void>;
  readonly closed: PromiseWithResolvers<void>;
  ended: boolean;
  fault: { readonly reason: unknown } | undefined;
  locked: boolean;
  last: Promise<unknown>;
}

const states = new WeakMap<ReadableStream, State>();

function stateOf(stream: ReadableStream): State {
  const state = states.get(stream);
  if (state === undefined) throw new TypeError("Illegal invocation: not a ReadableStream");
  return state;
}

async function pullOne(state: State): Promise<Result> {
  await state.started;
  const isDry = (): boolean => state.queue.length === 0 && !state.ended && state.fault === undefined;
  while (isDry()) {
    const { promise } = state.changed;
    await state.source.pull?.(state.controller);
    if (isDry()) await promise;
  }
  if (state.queue.length > 0) return { value: state.queue.shift(), done: false };
  if (state.fault !== undefined) throw state.fault.reason;
  return { value: undefined, done: true };
}

/** Streams Standard, section 4, as far as bodies need it: chunks are read one after the other, and pulled when they are. */
export class ReadableStream {
  constructor(source: Source = {}) {
    const closed = Promise.withResolvers<void>();
    closed.promise.catch(() => {});
    const queue: unknown[] = [];
    const done = (): void => {
      state.changed.resolve();
      state.changed = Promise.withResolvers<void>();
    };
    const controller: Controller = {
      enqueue(chunk) {
        if (state.ended) throw new TypeError("Invalid state: Controller is already closed");
        queue.push(chunk);
        done();
      },
      close() {
        state.ended = true;
        closed.resolve();
        done();
      },
      error(reason) {
        state.fault ??= { reason };
        closed.reject(reason);
        done();
      },
      get desiredSize() {
        return Math.max(0, 1 - queue.length);
      },
    };
    const changed = Promise.withResolvers<void>();
    const state: State = { source, queue, controller, started: Promise.resolve(), changed, closed, ended: false, fault: undefined, locked: false, last: Promise.resolve() };
    states.set(this, state);
    state.started = Promise.resolve(source.start?.(controller));
  }
  static from(items: AsyncIterable<unknown> | Iterable<unknown>): ReadableStream {
    const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
    return new ReadableStream({
      async pull(controller) {
        const { value, done } = await iterator.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => iterator.return?.(),
    });
  }
  get locked(): boolean {
    return stateOf(this).locked;
  }
  getReader(): Reader {
    const state = stateOf(this);
    if (state.locked) throw new TypeError("ReadableStream is locked");
    state.locked = true;
    return {
      read() {
        const next = state.last.then(() => pullOne(state));
        state.last = next.catch(() => {});
        return next;
      },
      cancel: (reason) => cancel(state, reason),
      releaseLock: () => void (state.locked = false),
      closed: state.closed.promise,
    };
  }
  async cancel(reason?: unknown): Promise<void> {
    if (this.locked) throw new TypeError("ReadableStream is locked");
    await cancel(stateOf(this), reason);
  }
  async *values(): AsyncGenerator<unknown, void> {
    const reader = this.getReader();
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
    } finally {
      await reader.cancel();
      reader.releaseLock();
    }
  }
  [Symbol.asyncIterator](): AsyncGenerator<unknown, void> {
    return this.values();
  }
  tee(): [ReadableStream, ReadableStream] {
    const reader = this.getReader();
    const controllers: Controller[] = [];
    const pull = async (): Promise<void> => {
      const { value, done } = await reader.read();
      for (const controller of controllers) {
        if (done) controller.close();
        else controller.enqueue(value instanceof Uint8Array ? value.slice() : value);
      }
    };
    const branch = (): ReadableStream => new ReadableStream({ start: (controller) => void controllers.push(controller), pull });
    return [branch(), branch()];
  }
  async pipeTo(to: Writable): Promise<void> {
    const writer = to.getWriter();
    for await (const chunk of this) await writer.write(chunk);
    await writer.close();
  }
  pipeThrough<T>({ readable, writable }: { readonly readable: T; readonly writable: Writable }): T {
    void this.pipeTo(writable).catch((error: unknown) => writable.getWriter().abort(error));
    return readable;
  }
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return `ReadableStream { locked: ${this.locked} }`;
  }
}

async function cancel(state: State, reason: unknown): Promise<void> {
  if (state.ended || state.fault !== undefined) return;
  state.ended = true;
  state.queue.length = 0;
  state.closed.resolve();
  await state.source.cancel?.(reason);
}

/** Encoding Standard, section 9.3. */
export class TextDecoderStream {
  readonly readable: ReadableStream;
  readonly writable: Writable;

  constructor(label = "utf-8") {
    const decoder = new TextDecoder(label);
    let controller: Controller | undefined;
    this.readable = new ReadableStream({ start: (given) => void (controller = given) });
    const put = (text: string): void => (text === "" ? undefined : controller?.enqueue(text));
    this.writable = {
      getWriter: () => ({
        write: async (chunk) => (chunk instanceof Uint8Array ? put(decoder.decode(chunk, { stream: true })) : undefined),
        close: async () => {
          put(decoder.decode());
          controller?.close();
        },
        abort: async (reason) => controller?.error(reason),
      }),
    };
  }
}
