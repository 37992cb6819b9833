/** A small assembler: modules are given as lists of bytes, one list an entry of its section. */
export interface Parts {
  /** Parameters and results, as value types; type `index` is the one given at that place. */
  readonly types?: readonly (readonly [parameters: readonly number[], results: readonly number[]])[];
  readonly imports?: readonly Bytes[];
  readonly functions?: readonly Func[];
  readonly tables?: readonly Bytes[];
  readonly memories?: readonly Bytes[];
  /** Type indices of the tags. */
  readonly tags?: readonly number[];
  readonly globals?: readonly Bytes[];
  readonly exports?: readonly Bytes[];
  /** Index of the start function. */
  readonly start?: number;
  readonly elements?: readonly Bytes[];
  readonly dataCount?: boolean;
  readonly data?: readonly Bytes[];
  /** Custom sections behind the last section: name and content. */
  readonly customs?: readonly (readonly [name: string, content: Bytes])[];
}

export type Bytes = readonly number[];

export interface Func {
  readonly type: number;
  /** Types of its locals, each a group of one. */
  readonly locals?: Bytes;
  /** Instructions without the last `end`. */
  readonly code: Bytes;
  /** Under which name it is exported. */
  readonly name?: string;
}

export const I32 = 0x7f;
export const I64 = 0x7e;
export const F32 = 0x7d;
export const F64 = 0x7c;
export const V128 = 0x7b;
export const VOID = 0x40;

export function u(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 128) | 0x80, ...u(Math.floor(value / 128))];
}

export function s(value: number): number[] {
  return value >= -64 && value < 64 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...s(value >> 7)];
}

export function text(value: string): number[] {
  return [...u(Buffer.byteLength(value)), ...Buffer.from(value)];
}

export function exportOf(name: string, kind: number, index: number): number[] {
  return [...text(name), kind, ...u(index)];
}

function section(id: number, entries: readonly Bytes[] | undefined): number[] {
  if (entries === undefined || entries.length === 0) return [];
  const body = [...u(entries.length), ...entries.flat()];
  return [id, ...u(body.length), ...body];
}

function bodyOf({ locals = [], code }: Func): number[] {
  const body = [...u(locals.length), ...locals.flatMap((type) => [1, type]), ...code, 0x0b];
  return [...u(body.length), ...body];
}

function custom([name, content]: readonly [name: string, content: Bytes]): number[] {
  const body = text(name).concat(content);
  return [0].concat(u(body.length), body);
}

export function assemble(parts: Parts): Uint8Array {
  const functions = parts.functions ?? [];
  const imported = (parts.imports ?? []).filter((entry) => entry[entry.length - 2] === 0).length;
  const named = functions.flatMap(({ name }, index) => (name === undefined ? [] : [exportOf(name, 0, imported + index)]));
  const dataCount = parts.dataCount === true ? [12, 1, ...u(parts.data?.length ?? 0)] : [];
  return Uint8Array.from([
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, parts.types?.map(([from, to]) => [0x60, ...u(from.length), ...from, ...u(to.length), ...to])),
    ...section(2, parts.imports),
    ...section(3, functions.map(({ type }) => u(type))),
    ...section(4, parts.tables),
    ...section(5, parts.memories),
    ...section(13, parts.tags?.map((type) => [0, ...u(type)])),
    ...section(6, parts.globals),
    ...section(7, [...(parts.exports ?? []), ...named]),
    ...(parts.start === undefined ? [] : [8, 1, parts.start]),
    ...section(9, parts.elements),
    ...dataCount,
    ...section(10, functions.map(bodyOf)),
    ...section(11, parts.data),
    ...(parts.customs ?? []).flatMap(custom),
  ]);
}
