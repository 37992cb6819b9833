declare module "core-js-pure/actual/url/index.js" {
  const URL: new (url: unknown, base?: unknown) => { href: string; hash: string; readonly origin: string; readonly searchParams: object };
  export default URL;
}
declare module "core-js-pure/actual/url-search-params/index.js" {
  const URLSearchParams: new (init?: unknown) => Iterable<[string, string]>;
  export default URLSearchParams;
}
declare module "buffer/index.js" {
  interface BufferLike extends Uint8Array {
    toString(encoding?: string): string;
  }
  export const Buffer: { from(data: string | Uint8Array | ArrayBuffer, encoding?: string): BufferLike };
}
declare module "events/events.js" {
  const EventEmitter: new () => object;
  export default EventEmitter;
}
declare module "path-browserify" {
  const path: { resolve(...parts: string[]): string; join(...parts: string[]): string; dirname(path: string): string };
  export default path;
}
