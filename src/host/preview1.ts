/** Numbers of the WASI preview 1 specification (typenames), as far as this host knows them. */
export const FILETYPE = {
  unknown: 0,
  characterDevice: 2,
  directory: 3,
  regularFile: 4,
  symbolicLink: 7,
} as const;

export const OFLAGS = { creat: 1, directory: 2, excl: 4, trunc: 8 } as const;

export const FDFLAGS = { append: 1, dsync: 2, nonblock: 4, rsync: 8, sync: 16 } as const;
export const ALL_FDFLAGS = 31;

export const LOOKUP_FOLLOW = 1;

export const FSTFLAGS = { atim: 1, atimNow: 2, mtim: 4, mtimNow: 8 } as const;

export const WHENCE = { set: 0, cur: 1, end: 2 } as const;

export const CLOCK = { realtime: 0, monotonic: 1, processCpu: 2, threadCpu: 3 } as const;

export const EVENTTYPE = { clock: 0, fdRead: 1, fdWrite: 2 } as const;

export const SUBCLOCK_ABSTIME = 1;

export const RIGHTS = {
  fdDatasync: 1 << 0,
  fdRead: 1 << 1,
  fdSeek: 1 << 2,
  fdFdstatSetFlags: 1 << 3,
  fdSync: 1 << 4,
  fdTell: 1 << 5,
  fdWrite: 1 << 6,
  fdAdvise: 1 << 7,
  fdAllocate: 1 << 8,
  fdReaddir: 1 << 14,
  fdFilestatGet: 1 << 21,
  fdFilestatSetSize: 1 << 22,
  fdFilestatSetTimes: 1 << 23,
  pollFdReadwrite: 1 << 27,
} as const;

/** Every right there is but those of sockets. */
export const ALL_RIGHTS = (1 << 28) - 1;
/** The rights that mean something on a path beneath a directory. */
export const DIRECTORY_RIGHTS = ALL_RIGHTS & ~(RIGHTS.fdRead | RIGHTS.fdWrite | RIGHTS.fdSeek | RIGHTS.fdTell | RIGHTS.fdAllocate | RIGHTS.fdFilestatSetSize);
/** The rights that mean something on an open file. */
export const FILE_RIGHTS =
  RIGHTS.fdDatasync | RIGHTS.fdRead | RIGHTS.fdSeek | RIGHTS.fdFdstatSetFlags | RIGHTS.fdSync | RIGHTS.fdTell |
  RIGHTS.fdWrite | RIGHTS.fdAdvise | RIGHTS.fdAllocate | RIGHTS.fdFilestatGet | RIGHTS.fdFilestatSetSize |
  RIGHTS.fdFilestatSetTimes | RIGHTS.pollFdReadwrite;
/** A device is no place to seek in: its size and position mean nothing. */
export const DEVICE_RIGHTS = FILE_RIGHTS & ~(RIGHTS.fdSeek | RIGHTS.fdTell | RIGHTS.fdAllocate | RIGHTS.fdFilestatSetSize);
