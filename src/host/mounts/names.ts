import { refuse } from "../errno.ts";

/** Names that Windows gives to devices in every folder, whatever follows a dot. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?$/i;

/**
 * Refuses a name that would mean something else to the system than that name in that folder: a separator, a drive or
 * stream, a device, an ending that is dropped.
 * @throws WasiFault inval for what can't be a name, noent for what can't be there.
 */
export function checkName(name: string, system: NodeJS.Platform = process.platform): void {
  if (name === "" || name === "." || name === ".." || /[/\0]/.test(name)) refuse("inval");
  // A lone surrogate would become another character on its way.
  if (!name.isWellFormed()) refuse("inval");
  if (system !== "win32") return;
  if (/[\\:*?"<>|]/.test(name) || /[. ]$/.test(name) || DEVICE.test(name.trimEnd())) refuse("noent");
}
