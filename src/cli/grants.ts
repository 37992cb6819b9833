import { basename, resolve } from "node:path";
import { readPackages } from "../host/packages/inventory.ts";
import { type FolderGrant, type Grants, GRANTS, type GrantSpec, type NetGrant, placeholderOf, type SecretGrant } from "../policy/grants.ts";
import type { LimitName } from "../policy/limits.ts";
import { usage } from "../policy/sentences.ts";
import { misuse } from "./misuse.ts";

/** What is given for one flag, and where: the flag itself, its variable, or the config file. */
export interface Given {
  readonly name: string;
  readonly text: string | undefined;
}

/** What the flags of grants come to. */
export interface GrantSettings {
  readonly grants: Grants;
  /** The values of the secrets; they stay with the server. */
  readonly secretValues: Readonly<Record<string, string>>;
}

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
const HOST = /^(?:\*\.)?[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/;
const IPV6 = /^[0-9a-f:.]*:[0-9a-f:.]*$/;
/** What is shorter would be found, and covered, in answers that have nothing to do with it. */
const SHORTEST_SECRET = 8;
/** What a header can carry. */
const HEADER_TEXT = /^[\u0020-\u007e]*$/;
/** The guest's own places, where nothing can be mounted. */
const TAKEN = new Set(["work", "tmp", "dev", "usr"]);

/**
 * Reads the flags that open something.
 * @throws BelljarError BAD_ARGUMENT that names the flag and what is wrong with its value.
 */
export function readGrants(source: (flag: string) => Given, env: NodeJS.ProcessEnv, limits: Readonly<Record<LimitName, number>>): GrantSettings {
  const each = <T>(spec: GrantSpec, read: (text: string, name: string) => T): T[] => {
    const { name, text = "" } = source(spec.flag);
    return splitList(text).map((item) => read(item, name));
  };
  const { writtenBytes, madeFiles, openFiles, netBytes: bytes, netHeaders: headerBytes, netTimeout: timeoutMs, netRequests: requests, netParallel: parallel } = limits;
  const folders = mergeFolders([
    ...each(GRANTS.read, (text, name) => readFolder(text, name, false)),
    ...each(GRANTS.write, (text, name) => readFolder(text, name, true)),
  ]);
  const secrets = each(GRANTS.secret, readSecret);
  const { text: packages = "" } = source(GRANTS.packages.flag);
  return {
    grants: {
      folders,
      folderLimits: { writtenBytes, madeFiles, openFiles },
      net: each(GRANTS.net, readNet),
      netLimits: { bytes, headerBytes, timeoutMs, requests, parallel },
      env: {
        ...Object.fromEntries(each(GRANTS.env, (text, name) => variablesNamed(text, name, env)).flat()),
        ...Object.fromEntries(secrets.map(({ name }) => [name, placeholderOf(name)])),
      },
      secrets,
      ...(packages === "" ? {} : { packages: readPackages(resolve(packages)) }),
    },
    secretValues: Object.fromEntries(secrets.map(({ name }) => [name, valueOf(name, env)])),
  };
}

/** The items of a list that commas separate; a doubled comma is a comma of the item. */
export function splitList(text: string): string[] {
  return text
    .replaceAll(",,", "\0")
    .split(",")
    .map((item) => item.replaceAll("\0", ",").trim())
    .filter((item) => item !== "");
}

function readFolder(text: string, name: string, writable: boolean): FolderGrant {
  const [, host = text, guest] = /^(.{2,}?|[^A-Za-z]):(\/[^:]*)$/.exec(text) ?? [];
  const folder = resolve(host);
  const place = guest ?? `/mnt/${basename(folder)}`;
  const names = place.split("/").slice(1);
  if (names.at(-1) === "" && names.length > 1) names.pop();
  const bad = names.some((part) => part === "" || part === "." || part === ".." || part.includes("\0"));
  if (bad || TAKEN.has(names[0] ?? "")) throw misuse(usage.badGuestPath(name, text, place));
  return { host: folder, guest: `/${names.join("/")}`, writable };
}

/** A folder that is named to be read and to be written at one place is one to write; else no place is in another. */
function mergeFolders(given: readonly FolderGrant[]): FolderGrant[] {
  const merged = new Map<string, FolderGrant>();
  for (const folder of given) {
    const other = merged.get(folder.guest);
    if (other !== undefined && other.host !== folder.host) throw misuse(usage.sameGuestPath(folder.guest, other.host, folder.host));
    merged.set(folder.guest, { ...folder, writable: folder.writable || other?.writable === true });
  }
  const places = [...merged.keys()];
  for (const inner of places) {
    const outer = places.find((place) => inner.startsWith(`${place}/`));
    if (outer !== undefined) throw misuse(usage.nestedGuestPath(inner, outer));
  }
  return [...merged.values()];
}

function readNet(text: string, name: string): NetGrant {
  const [, bracketed, plain = text, port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = (bracketed ?? plain).toLowerCase();
  const right = IPV6.test(host) || (bracketed === undefined && HOST.test(host));
  if (!right || Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535) throw misuse(usage.badHost(name, text));
  return port === undefined ? { host } : { host, port: Number(port) };
}

function readSecret(text: string, source: string): SecretGrant {
  const at = text.indexOf("=");
  const name = text.slice(0, Math.max(0, at));
  const host = text.slice(at + 1).toLowerCase();
  if (!VARIABLE.test(name) || !HOST.test(host) || host.startsWith("*")) throw misuse(usage.badSecret(source, text));
  return { name, host };
}

/** The variables of that name, or of those that begin so when it ends in `*`; one that isn't set isn't there. */
function variablesNamed(text: string, name: string, env: NodeJS.ProcessEnv): [string, string][] {
  const prefix = text.endsWith("*") ? text.slice(0, -1) : undefined;
  if (!VARIABLE.test(prefix ?? text)) throw misuse(usage.badVariable(name, text));
  // Asked for by its name alone where it is one: Deno gives no list of them without a right to all.
  const names = prefix === undefined ? [text] : Object.keys(env).filter((key) => key.startsWith(prefix));
  return names.flatMap((key) => {
    const value = env[key];
    return value === undefined ? [] : [[key, value]];
  });
}

function valueOf(name: string, env: NodeJS.ProcessEnv): string {
  const value = env[name];
  if (value === undefined || value === "") throw misuse(usage.noSecret(name));
  if (value.length < SHORTEST_SECRET || !HEADER_TEXT.test(value)) throw misuse(usage.badSecretValue(name, SHORTEST_SECRET));
  return value;
}
