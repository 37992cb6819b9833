/** What the engine gives beyond the standard (V8's stack trace API). */
interface CallSite {
  getFunctionName(): string | null;
  getFileName(): string | null;
  getLineNumber(): number;
  getColumnNumber(): number;
}

interface ErrorConstructor {
  prepareStackTrace: ((error: Error, sites: CallSite[]) => unknown) | undefined;
  stackTraceLimit: number;
  captureStackTrace(target: object, above?: unknown): void;
}

declare function queueMicrotask(callback: () => void): void;
