import { type FolderGrant, type Grants, GRANTS, type NetGrant } from "./grants.ts";
import { LANGUAGES, LIMITS } from "./limits.ts";
import type { Failure } from "./outcome.ts";
import { LANGUAGE_NAMES } from "./sentences.ts";

/** So many packages are named where a model reads them all. */
const MOST_NAMED = 60;
/** And of those that can't be imported. */
const MOST_REFUSED = 20;

/** What of the machine is open to code, a sentence each; none when nothing is. */
export function grantLines({ folders, net, env, secrets, packages }: Grants): string[] {
  const variables = Object.keys(env).filter((name) => !secrets.some((secret) => secret.name === name));
  return [
    ...folders.map((folder) => `The folder ${folder.host} of the machine is at ${folder.guest}, to ${use(folder)}.`),
    ...(net.length > 0 ? [`Requests may go to ${net.map(place).join(", ")}, and to no other host.`] : []),
    ...(variables.length > 0 ? [`These variables are in os.environ and process.env: ${variables.join(", ")}.`] : []),
    ...secrets.map(({ name, host }) => `The variable ${name} is a placeholder: requests to ${host} get its value in its stead.`),
    ...(packages === undefined ? [] : LANGUAGES.map((language) => packageLine(packages.inside.filter((one) => one.language === language), language))),
    ...(packages?.refused ?? []).slice(0, MOST_REFUSED).map(({ name, reason }) => `The package ${name} can't be imported: ${reason}.`),
  ].filter((line) => line !== "");
}

/** In a tool's description: what there is of network and files. */
export function reachOf({ folders, net }: Grants): string {
  const network = net.length === 0 ? "There is no network" : `Requests may go to ${net.map(place).join(", ")} alone`;
  const files = folders.map((folder) => `${folder.guest} (${use(folder)})`).join(", ");
  return `${network}, and ${files === "" ? "no file of the host" : `of the host's files there are those in ${files}`}`;
}

/** The hints that clients are given of what a tool may do, by what is granted. */
export function annotationsOf({ folders, net }: Grants) {
  const changes = net.length > 0 || folders.some(({ writable }) => writable);
  return { readOnlyHint: !changes, destructiveHint: changes, idempotentHint: false, openWorldHint: net.length > 0 };
}

const PATH = /'((?:\/|[A-Za-z]:[\\/]|~|\w)[^'\n]*)'/;
const MISSING = /No such file or directory|ENOENT/;
const SEALED = /Read-only file system|EROFS/;
const FULL = /No space left on device|ENOSPC/;
const MANY = /No file descriptors available|Too many open files|EMFILE/;
const LARGE = /^(?:Error: )?(?:ENOMEM|EFBIG): /;
const OWN = /^\/(?:work|usr|dev)(?:\/|$)/;

/** What whoever starts Belljar could do about a failure that a grant would have spared; a sentence each. */
export function adviceOn({ message }: Failure, { folders }: Grants): string[] {
  const [, path = ""] = PATH.exec(message) ?? [];
  const mounted = folders.find(({ guest }) => path === guest || path.startsWith(`${guest}/`));
  if (SEALED.test(message) && mounted !== undefined) {
    return [`${mounted.guest} is open to be read only. Whoever starts Belljar can open it to be written too, with --${GRANTS.write.flag}=${mounted.host}:${mounted.guest}.`];
  }
  if (FULL.test(message) && folders.some(({ writable }) => writable)) return [full()];
  if (LARGE.test(message)) return [large()];
  if (MANY.test(message) && folders.length > 0) return [many()];
  if (!MISSING.test(message) || path === "" || mounted !== undefined) return [];
  const granted = folders.find(({ host }) => path === host || path.startsWith(`${host}/`));
  if (granted !== undefined) return [`That folder of the machine is at ${granted.guest} here: use ${granted.guest}${path.slice(granted.host.length)}.`];
  if (OWN.test(path)) return [];
  const open = folders.map((folder) => `${folder.guest} (${use(folder)})`).join(", ");
  const flags = `--${GRANTS.read.flag}=DIR, or --${GRANTS.write.flag}=DIR to write too`;
  return [
    open === ""
      ? `Code sees no folder of the machine. Pass the file in the call's files, which puts it under /work; or whoever starts Belljar can open its folder with ${flags}.`
      : `Of the machine's folders code sees ${open} alone. Whoever starts Belljar can open another with ${flags}.`,
  ];
}

function full(): string {
  const { writtenBytes, madeFiles, files } = LIMITS;
  return `What one run may write to mounted folders is set by --${writtenBytes.flag} and --${madeFiles.flag}, and what it may keep in memory by --${files.flag}.`;
}

function large(): string {
  const { argument, flag } = LIMITS.javascriptMemory;
  return `JavaScript reads a file whole, and it may be half as large as the sandbox's memory (${argument}; its most is set by --${flag}). Python can read it part by part.`;
}

function many(): string {
  return `How many files of mounted folders may be open at once is set by --${LIMITS.openFiles.flag}. Close each when it is done with.`;
}

function use({ writable }: FolderGrant): string {
  return writable ? "read and write" : "read";
}

function place({ host, port }: NetGrant): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return port === undefined ? name : `${name}:${port}`;
}

function packageLine(packages: readonly { readonly name: string; readonly version?: string | undefined }[], language: (typeof LANGUAGES)[number]): string {
  if (packages.length === 0) return "";
  const named = packages.slice(0, MOST_NAMED).map(({ name, version }) => (version === undefined ? name : `${name} ${version}`));
  const more = packages.length > MOST_NAMED ? ` and ${packages.length - MOST_NAMED} more (belljar://packages)` : "";
  return `Packages of the user's that ${LANGUAGE_NAMES[language]} can import: ${named.join(", ")}${more}.`;
}
