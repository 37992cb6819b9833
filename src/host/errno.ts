/** Error numbers of WASI preview 1 that this host answers with (spec: typenames, `errno`). */
export const ERRNO = {
  success: 0,
  acces: 2,
  badf: 8,
  busy: 10,
  exist: 20,
  fault: 21,
  fbig: 22,
  ilseq: 25,
  inval: 28,
  io: 29,
  isdir: 31,
  loop: 32,
  mfile: 33,
  nametoolong: 37,
  noent: 44,
  nomem: 48,
  nospc: 51,
  notdir: 54,
  notempty: 55,
  notsup: 58,
  overflow: 61,
  perm: 63,
  rofs: 69,
  spipe: 70,
  xdev: 75,
} as const;

export type ErrnoName = keyof typeof ERRNO;

/** What a WASI function refuses with; the import's wrapper turns it into the number. */
export class WasiFault extends Error {
  readonly errno: number;

  constructor(name: ErrnoName) {
    super(`WASI error ${name}`);
    this.name = "WasiFault";
    this.errno = ERRNO[name];
  }
}

// Made once each: a guest can cause millions, and capturing a stack is what makes an error slow.
const made = new Map<ErrnoName, WasiFault>();

/** @throws WasiFault always; the same one each time for a name. */
export function refuse(name: ErrnoName): never {
  let fault = made.get(name);
  if (fault === undefined) {
    fault = new WasiFault(name);
    made.set(name, fault);
  }
  throw fault;
}
