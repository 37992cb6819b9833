/** Bounds of the file tree that do not depend on a limit of the user's. */
export const CAPS = {
  /** Bytes of UTF-8 in one name. */
  nameBytes: 255,
  /** Bytes of UTF-8 in one path or symlink target. */
  pathBytes: 4_096,
  /** Symlinks followed in one lookup. */
  symlinks: 40,
  /** Descriptors open at once. */
  descriptors: 256,
  /** Charged against the byte limit for each name in a directory: what its objects cost the host. */
  entryBytes: 512,
} as const;
