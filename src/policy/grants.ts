import type { Language } from "./limits.ts";

/** A folder of the machine that the code may use. */
export interface FolderGrant {
  /** Absolute, in the machine's own form. */
  readonly host: string;
  /** Where the code finds it; absolute, without "." or "..". */
  readonly guest: string;
  /** False: read only, by the host's doing. */
  readonly writable: boolean;
}

/** Where requests may go. */
export interface NetGrant {
  /** A name in lower case, `*.` and a name for all beneath it, or an address (IPv6 without brackets). */
  readonly host: string;
  /** Any port when left out. */
  readonly port?: number;
}

/** A variable of the server whose value goes into requests to one host, and is never seen by the code. */
export interface SecretGrant {
  readonly name: string;
  readonly host: string;
}

/** Where packages are mounted in a guest. */
export const PACKAGES_PLACE = "/usr/local/lib/packages";

export interface PackageInfo {
  readonly name: string;
  readonly version?: string | undefined;
  readonly language: Language;
}

/** A folder of packages, and what is in it. */
export interface PackagesGrant {
  /** Absolute, in the machine's own form. */
  readonly host: string;
  /** Where Python is to look, in the guest's words. */
  readonly path: readonly string[];
  readonly inside: readonly PackageInfo[];
  /** What is there and can't be imported. */
  readonly refused: readonly { readonly name: string; readonly language: Language; readonly reason: string }[];
}

/** What one run may do in mounted folders. */
export interface FolderLimits {
  readonly writtenBytes: number;
  /** Files and folders that it makes. */
  readonly madeFiles: number;
  /** Open at the same time. */
  readonly openFiles: number;
}

/** What one run may do on the network. */
export interface NetLimits {
  /** Sent and received together, unpacked. */
  readonly bytes: number;
  /** Of one request, and of one response. */
  readonly headerBytes: number;
  readonly timeoutMs: number;
  readonly requests: number;
  /** At the same time. */
  readonly parallel: number;
}

export const GRANT_USES = ["read", "write", "list", "make", "remove", "rename", "request"] as const;

/** Something granted that code has used, as it is told: so many times and bytes since it was told last. */
export interface GrantUse {
  readonly what: (typeof GRANT_USES)[number];
  /** A path in the guest's words, or a URL. */
  readonly name: string;
  readonly times: number;
  readonly bytes: number;
}

/**
 * What stands for a secret in a sandbox: letters, digits and underscores, which no encoding of a URL changes; the length
 * keeps one name from being read as the beginning of another.
 */
export function placeholderOf(name: string): string {
  return `belljar_secret_${String(name.length)}_${name}`;
}

/** What of the machine a user let in: nothing, unless named. Plain data, the same in server, engine and threads. */
export interface Grants {
  readonly folders: readonly FolderGrant[];
  readonly folderLimits: FolderLimits;
  readonly net: readonly NetGrant[];
  readonly netLimits: NetLimits;
  /** Variables with their values, as the code sees them. */
  readonly env: Readonly<Record<string, string>>;
  readonly secrets: readonly SecretGrant[];
  readonly packages?: PackagesGrant;
}

export const NO_GRANTS: Grants = {
  folders: [],
  folderLimits: { writtenBytes: 0, madeFiles: 0, openFiles: 0 },
  net: [],
  netLimits: { bytes: 0, headerBytes: 0, timeoutMs: 0, requests: 0, parallel: 0 },
  env: {},
  secrets: [],
};

/** False when nothing at all is open to code. */
export function isGranted({ folders, net, env, secrets, packages }: Grants): boolean {
  return folders.length + net.length + Object.keys(env).length + secrets.length > 0 || packages !== undefined;
}

/** All that is mounted: the folders, and the packages. */
export function mountedFolders({ folders, packages }: Grants): readonly FolderGrant[] {
  return packages === undefined ? folders : [...folders, { host: packages.host, guest: PACKAGES_PLACE, writable: false }];
}

/** One flag that opens something, for help, README, config file and messages. */
export interface GrantSpec {
  readonly flag: string;
  /** What follows the flag's `=`. */
  readonly value: string;
  readonly words: string;
}

export const GRANTS = {
  read: { flag: "allow-read", value: "DIR[:/guest/path]", words: "folder that code may read, at /mnt/NAME unless told" },
  write: { flag: "allow-write", value: "DIR[:/guest/path]", words: "folder that code may read and write, at /mnt/NAME unless told" },
  net: { flag: "allow-net", value: "HOST[:PORT]", words: "host that code may send requests to; *.example.com for all beneath it" },
  env: { flag: "allow-env", value: "NAME", words: "variable of the server that code may see" },
  secret: {
    flag: "secret",
    value: "NAME=HOST",
    words: "variable that goes into requests to that host alone; code sees a placeholder of it",
  },
  packages: { flag: "packages", value: "DIR", words: "folder of packages that code may import" },
} as const satisfies Record<string, GrantSpec>;

/** Flags of grants that may be given many times; a comma separates too, and a doubled one is a comma. */
export const REPEATABLE: ReadonlySet<string> = new Set([GRANTS.read, GRANTS.write, GRANTS.net, GRANTS.env, GRANTS.secret].map(({ flag }) => flag));
