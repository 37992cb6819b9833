const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** RFC 4648, section 4, with padding. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b, c] = bytes.subarray(at, at + 3);
    const bits = (a << 16) | ((b ?? 0) << 8) | (c ?? 0);
    text += `${DIGITS[bits >> 18]}${DIGITS[(bits >> 12) & 63]}`;
    text += `${b === undefined ? "=" : DIGITS[(bits >> 6) & 63]}${c === undefined ? "=" : DIGITS[bits & 63]}`;
  }
  return text;
}
