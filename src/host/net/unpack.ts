import type { Transform } from "node:stream";
import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";

/** More codings one upon the other than anyone has a use for. */
const MOST = 3;

/** The largest window that a body may ask memory for, as a power of two (RFC 9659). */
const ZSTD_WINDOW = 23;

/** What a host that is to unpack asks for. */
export const ACCEPTED = "gzip, deflate, br, zstd";

/**
 * The streams that unpack a body of that Content-Encoding, in order; undefined when it can't be unpacked.
 * What comes out is counted as it comes, so a small body that unpacks to a huge one ends at the limit.
 */
export function unpackers(encoding: string | undefined): Transform[] | undefined {
  const codings = (encoding ?? "").split(",").map((coding) => coding.trim().toLowerCase()).filter((coding) => coding !== "" && coding !== "identity");
  if (codings.length > MOST) return undefined;
  const streams: Transform[] = [];
  for (const coding of codings.toReversed()) {
    if (coding === "gzip" || coding === "x-gzip") streams.push(createGunzip());
    else if (coding === "deflate") streams.push(createInflate());
    else if (coding === "br") streams.push(createBrotliDecompress());
    else if (coding === "zstd") streams.push(createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW } }));
    else return undefined;
  }
  return streams;
}
