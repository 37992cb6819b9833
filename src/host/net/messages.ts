import * as z from "zod";

/** Bytes of one direction of a request that may be on their way between the server and a sandbox. */
export const WINDOW = 262_144;
/** Bytes of one piece of a body. */
export const PIECE = 65_536;
/** Pieces that may be on their way in place of so many bytes, when they are small. */
export const MOST_PIECES = 256;

/** Why a request fails; the guest makes its language's own error of it. */
export const NET_CODES = ["refused", "invalid", "limit", "name", "connect", "tls", "timeout", "broken"] as const;
export type NetCode = (typeof NET_CODES)[number];
export interface NetFailure {
  readonly code: NetCode;
  readonly message: string;
}

const id = z.int().nonnegative();
const bytes = z.instanceof(Uint8Array);
const headers = z.array(z.tuple([z.string(), z.string()]));

/** What a request begins with. */
export const requestSchema = z.object({
  method: z.string(),
  url: z.string(),
  headers,
  /** `whole`: the bytes come with it; `stream`: they follow, so many as `length` says, or in chunks. */
  body: z.enum(["none", "whole", "stream"]),
  length: z.int().nonnegative().optional(),
  /** True when the host is to unpack a compressed response. */
  unpack: z.boolean(),
});
export type NetRequest = z.infer<typeof requestSchema>;

/** What a sandbox's side tells the server's; ids are its own, anew for each run. */
export const toNetSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("start"), id, request: requestSchema, bytes }),
  z.object({ kind: z.literal("body"), id, bytes, last: z.boolean() }),
  /** So many bytes of the response were taken. */
  z.object({ kind: z.literal("taken"), id, count: z.int().nonnegative() }),
  z.object({ kind: z.literal("close"), id }),
]);
export type ToNet = z.infer<typeof toNetSchema>;

/** What the server's side tells a sandbox's. */
export type FromNet =
  | { readonly kind: "head"; readonly id: number; readonly status: number; readonly reason: string; readonly headers: readonly (readonly [string, string])[] }
  | { readonly kind: "data"; readonly id: number; readonly bytes: Uint8Array }
  | { readonly kind: "end"; readonly id: number }
  | { readonly kind: "failed"; readonly id: number; readonly code: NetCode; readonly message: string }
  /** So many bytes of the request's body have gone. */
  | { readonly kind: "sent"; readonly id: number; readonly count: number };
