import { refuse } from "../errno.ts";

/** Names that Windows gives to devices in every folder, whatever follows a dot. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?$/i;

/** Whether a name stands for an entry of its own folder: neither a way to another nor, on Windows, a stream or device. */
export function isPlainName(name: string, system: NodeJS.Platform = process.platform): boolean {
  return isName(name) && isUnreserved(name, system);
}

/**
 * Refuses a name that would mean something else to the system than that name in that folder: a separator, a drive or
 * stream, a device, an ending that is dropped.
 * @throws WasiFault inval for what can't be a name, noent for what can't be there.
 */
export function checkName(name: string, system: NodeJS.Platform = process.platform): void {
  if (!isName(name)) refuse("inval");
  if (!isUnreserved(name, system)) refuse("noent");
}

/** A lone surrogate would become another character on its way. */
function isName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !/[/\0]/.test(name) && name.isWellFormed();
}

function isUnreserved(name: string, system: NodeJS.Platform): boolean {
  return system !== "win32" || !(/[\\:*?"<>|]/.test(name) || /[. ]$/.test(name) || DEVICE.test(name.trimEnd()));
}
