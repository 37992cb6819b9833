import * as z from "zod";
import { BelljarError } from "../base/errors.ts";
import { decodeFrame, encodeFrame } from "../host/door.ts";
import type { NetDoor } from "../host/net/net-door.ts";
import { type Picture, type Report, reportSchema } from "../policy/outcome.ts";
import { sentences } from "../policy/sentences.ts";

const MAX_HEADER = 4 * 1_024 * 1_024;
const MAX_PAYLOAD = 16 * 1_024 * 1_024;
/** Largest side of a picture, in pixels: what a vision model sees without scaling it down itself. */
const PICTURE_SIDE = 1_568;

const messageSchema = z.discriminatedUnion("op", [
  z.object({ op: z.literal("turn") }),
  z.object({ op: z.literal("net"), ask: z.unknown() }),
  z.object({ op: z.literal("picture"), name: z.string().max(255), mime_type: z.enum(["image/png", "image/svg+xml"]) }),
]);

/** How the prelude's report begins: it is only kept when it comes, and read once, so that a flood of them costs little. */
const REPORT = new TextEncoder().encode('{"op":"report",');

/** What the host tells and takes in one turn. */
export interface DoorTurn {
  readonly code: string;
  /** True when random generators are to start anew. */
  readonly reseed: boolean;
  /** Bytes that all files of the sandbox may hold together. */
  readonly fileBytes: number;
  readonly picture: (picture: Picture) => void;
  readonly net: NetDoor;
  /** The variables that code may see. */
  readonly variables?: Readonly<Record<string, string>>;
  /** What code may import from, and what is there that it can't import, by name with the reason. */
  readonly packages?: { readonly path: readonly string[]; readonly refused: Readonly<Record<string, string>> } | undefined;
}

/** The host's side of the door for one turn. */
export interface DoorAnswers {
  /** Answers one message of the prelude; a message that is none is answered with an error. */
  answer(message: Uint8Array): Uint8Array;
  hasReport(): boolean;
  /** @throws BelljarError GUEST_FAULT when the guest has told no readable report. */
  report(): Report;
}

/** Messages come from the guest: each is checked and capped before it is believed. */
export function doorAnswers({ code, reseed, fileBytes, picture, net, variables, packages }: DoorTurn): DoorAnswers {
  let told: Uint8Array | undefined;
  return {
    answer(message) {
      if (message.length <= MAX_HEADER && REPORT.every((byte, at) => message[at] === byte)) {
        told = message;
        return encodeFrame({});
      }
      const { header, payload } = decodeFrame(message, { maxHeader: MAX_HEADER, maxPayload: MAX_PAYLOAD });
      const parsed = messageSchema.safeParse(header);
      if (!parsed.success) return encodeFrame({ error: "not a message of the door" });
      switch (parsed.data.op) {
        case "turn":
          return encodeFrame(
            { reseed, image_max_px: PICTURE_SIDE, file_bytes: fileBytes, variables, packages: packages?.path, refused_packages: packages?.refused },
            new TextEncoder().encode(code),
          );
        case "net": {
          const { answer, content } = net.ask(parsed.data.ask, payload);
          return encodeFrame(answer, content);
        }
        case "picture":
          picture({ name: parsed.data.name, mimeType: parsed.data.mime_type, bytes: payload.slice() });
          return encodeFrame({});
      }
    },
    hasReport: () => told !== undefined,
    report() {
      if (told === undefined) throw new BelljarError("GUEST_FAULT", sentences.badReport());
      const parsed = reportSchema.safeParse(decodeFrame(told, { maxHeader: MAX_HEADER, maxPayload: 0 }).header);
      if (!parsed.success) throw new BelljarError("GUEST_FAULT", sentences.badReport());
      return parsed.data;
    },
  };
}
