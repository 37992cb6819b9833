import { lookup } from "mrmime";

/** Types that the registry of media types keeps under its vendors' names, which mrmime leaves out. */
const VENDORS: ReadonlyMap<string, string> = new Map(Object.entries({
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  ods: "application/vnd.oasis.opendocument.spreadsheet",
  xls: "application/vnd.ms-excel",
  db: "application/vnd.sqlite3",
  sqlite: "application/vnd.sqlite3",
  sqlite3: "application/vnd.sqlite3",
  parquet: "application/vnd.apache.parquet",
  py: "text/x-python",
}));

/** The media type of a file, by the end of its name. */
export function mediaType(path: string): string {
  return VENDORS.get(path.slice(path.lastIndexOf(".") + 1).toLowerCase()) ?? lookup(path) ?? "application/octet-stream";
}
