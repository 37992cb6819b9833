const ELF64_LITTLE = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1]);
/** Where the file's header has the place of the section table, the number of its rows, and which row holds the names. */
const TABLE_AT = 0x28;
const ROWS_AT = 0x3c;
const NAMES_AT = 0x3e;
/** A row: its length, and where in it are the type, the flags, the place in the file, and the length there. */
const ROW = 64;
const TYPE = 4;
const FLAGS = 8;
const PLACE = 24;
const LENGTH = 32;
const NOBITS = 8;
const LOADED = 2;

/**
 * An ELF program without its symbols and debug information, which no run reads: a quarter of Node's. What is left is not
 * moved. Given back as it is: what is no 64-bit ELF, or has something to be loaded behind what is not.
 */
export function stripProgram(program: Uint8Array): Uint8Array {
  const bytes = Buffer.from(program.buffer, program.byteOffset, program.byteLength);
  if (!bytes.subarray(0, ELF64_LITTLE.length).equals(ELF64_LITTLE)) return program;
  const table = Number(bytes.readBigUInt64LE(TABLE_AT));
  const rows = Array.from({ length: bytes.readUInt16LE(ROWS_AT) }, (_, at) => bytes.subarray(table + at * ROW, table + (at + 1) * ROW));
  const names = rows[bytes.readUInt16LE(NAMES_AT)];
  const isLoaded = (row: Buffer): boolean => (row.readUInt32LE(FLAGS) & LOADED) !== 0;
  const loaded = rows.slice(1).filter(isLoaded);
  const kept = rows.slice(0, loaded.length + 1);
  if (names === undefined || !kept.slice(1).every(isLoaded)) return program;
  const end = Math.max(0, ...loaded.map((row) => placeOf(row) + (row.readUInt32LE(TYPE) === NOBITS ? 0 : lengthOf(row))));
  const namesRow = Buffer.from(names);
  namesRow.writeBigUInt64LE(BigInt(end), PLACE);
  const text = bytes.subarray(placeOf(names), placeOf(names) + lengthOf(names));
  const padding = Buffer.alloc(-(end + text.length) & 7);
  const stripped = Buffer.concat([bytes.subarray(0, end), text, padding, ...kept, namesRow]);
  stripped.writeBigUInt64LE(BigInt(end + text.length + padding.length), TABLE_AT);
  stripped.writeUInt16LE(kept.length + 1, ROWS_AT);
  stripped.writeUInt16LE(kept.length, NAMES_AT);
  return stripped;
}

function placeOf(row: Buffer): number {
  return Number(row.readBigUInt64LE(PLACE));
}

function lengthOf(row: Buffer): number {
  return Number(row.readBigUInt64LE(LENGTH));
}
