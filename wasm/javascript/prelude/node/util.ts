import { format, formatWithOptions, inspect, stripVTControlCharacters } from "node-inspect-extracted";
import { webGlobals } from "../web/globals.ts";
import { isDeepEqual } from "./equality.ts";

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

const CUSTOM = Symbol.for("nodejs.util.promisify.custom");

function promisify(original: AnyFunction): AnyFunction {
  const custom: unknown = Reflect.get(original, CUSTOM);
  if (typeof custom === "function") return (...args) => custom(...args);
  return function (...args) {
    return new Promise((resolve, reject) => {
      original.call(this, ...args, (error: unknown, value: unknown) => (error ? reject(error) : resolve(value)));
    });
  };
}

function callbackify(original: (...args: unknown[]) => Promise<unknown>): AnyFunction {
  return (...args) => {
    const callback = args.pop();
    if (typeof callback !== "function") throw new TypeError("The last argument must be of type function.");
    original(...args).then((value) => callback(null, value), (error: unknown) => callback(error));
  };
}

const isA = (type: unknown) => (value: unknown): boolean => typeof type === "function" && value instanceof type;
const tagOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

const types = {
  isArrayBuffer: isA(ArrayBuffer),
  isAnyArrayBuffer: isA(ArrayBuffer),
  isAsyncFunction: (value: unknown) => tagOf(value) === "AsyncFunction",
  isBoxedPrimitive: (value: unknown) => typeof value === "object" && /^(?:Number|String|Boolean|BigInt|Symbol)$/.test(tagOf(value)),
  isDataView: isA(DataView),
  isDate: isA(Date),
  isGeneratorFunction: (value: unknown) => tagOf(value) === "GeneratorFunction",
  isGeneratorObject: (value: unknown) => tagOf(value) === "Generator",
  isMap: isA(Map),
  isNativeError: isA(Error),
  isPromise: isA(Promise),
  isRegExp: isA(RegExp),
  isSet: isA(Set),
  isTypedArray: (value: unknown) => ArrayBuffer.isView(value) && !(value instanceof DataView),
  isUint8Array: isA(Uint8Array),
  isWeakMap: isA(WeakMap),
  isWeakSet: isA(WeakSet),
};

export const util = {
  TextDecoder: webGlobals.TextDecoder,
  TextEncoder: webGlobals.TextEncoder,
  callbackify,
  debuglog: () => () => {},
  deprecate: (original: AnyFunction) => original,
  format,
  formatWithOptions,
  inherits(constructor: { prototype: object; super_?: unknown }, parent: { prototype: object }) {
    constructor.super_ = parent;
    Object.setPrototypeOf(constructor.prototype, parent.prototype);
  },
  inspect,
  isArray: Array.isArray,
  isDeepStrictEqual: (a: unknown, b: unknown) => isDeepEqual(a, b, true),
  promisify: Object.assign(promisify, { custom: CUSTOM }),
  stripVTControlCharacters,
  styleText: (_format: unknown, text: unknown) => String(text),
  toUSVString: (text: unknown) => String(text).toWellFormed(),
  types,
};
