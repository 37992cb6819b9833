import type { ImageContent } from "@modelcontextprotocol/server";
import type { Picture } from "../policy/outcome.ts";
import { number, remarks } from "../policy/sentences.ts";

const MOST_PICTURES = 10;
/** Bytes of all pictures of one answer: some clients count their base64 as text. */
const MOST_BYTES = 4 * 1_024 * 1_024;
/** Model APIs refuse larger sides, and then every later request of the conversation. */
const LONGEST_SIDE = 8_000;

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const PNG_END = [0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82];
const JPEG = [0xff, 0xd8, 0xff];

/** Pictures as image content, and what to say of those that were left out. */
export function pictureContent(pictures: readonly Picture[]): { images: ImageContent[]; remarks: string[] } {
  const images: ImageContent[] = [];
  let broken = 0;
  let tooMuch = 0;
  let bytes = 0;
  for (const picture of pictures) {
    if (!isSound(picture)) broken += 1;
    else if (images.length === MOST_PICTURES || bytes + picture.bytes.length > MOST_BYTES) tooMuch += 1;
    else {
      bytes += picture.bytes.length;
      images.push({ type: "image", data: base64(picture.bytes), mimeType: picture.mimeType });
    }
  }
  const said: string[] = [];
  if (broken > 0) said.push(remarks.picturesLeft(broken, "not a PNG or JPEG that clients can show"));
  if (tooMuch > 0) {
    const most = `an answer carries at most ${number(MOST_PICTURES)} pictures and ${number(MOST_BYTES)} bytes of them`;
    said.push(remarks.picturesLeft(tooMuch, most));
  }
  return { images, remarks: said };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/** The guest says what its bytes are; a client that is lied to may lose the whole conversation. */
function isSound({ mimeType, bytes }: Picture): boolean {
  if (mimeType === "image/jpeg") return startsWith(bytes, JPEG);
  if (mimeType !== "image/png" || bytes.length < 45) return false;
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sides = [header.getUint32(16), header.getUint32(20)];
  return (
    startsWith(bytes, PNG) &&
    startsWith(bytes.subarray(bytes.length - PNG_END.length), PNG_END) &&
    sides.every((side) => side > 0 && side <= LONGEST_SIDE)
  );
}

function startsWith(bytes: Uint8Array, prefix: readonly number[]): boolean {
  return prefix.every((byte, index) => bytes[index] === byte);
}
