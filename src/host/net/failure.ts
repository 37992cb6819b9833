import { isBelljarError } from "../../base/errors.ts";
import { network } from "../../policy/network-sentences.ts";
import type { NetFailure } from "./messages.ts";

const NO_NAME = /^(?:ENOTFOUND|EAI_|ENODATA|ESERVFAIL|EREFUSED)/;
/** OpenSSL's and Node's codes for a certificate that doesn't hold. */
const CERTIFICATE = /CERT|^UNABLE_TO_|HOSTNAME_MISMATCH|^INVALID_(?:CA|PURPOSE)/;
const TLS = /^(?:ERR_SSL_|ERR_TLS_|EPROTO)/;
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the other side closed the connection",
  ERR_STREAM_PREMATURE_CLOSE: "the other side closed the connection",
  EHOSTUNREACH: "it can't be reached",
  ENETUNREACH: "its network can't be reached",
  EADDRNOTAVAIL: "it can't be reached",
  ENETDOWN: "this machine has no network",
  EPIPE: "the other side closed the connection",
  ETIMEDOUT: "it did not answer",
  CERT_HAS_EXPIRED: "its certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is signed by itself",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is signed by an authority that this machine doesn't know",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate is signed by an authority that this machine doesn't know",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate is signed by an authority that this machine doesn't know",
  EPROTO: "it doesn't speak TLS on this port",
  ERR_SSL_WRONG_VERSION_NUMBER: "it doesn't speak TLS on this port",
};
const CONNECT = new Set(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL", "ENETDOWN", "ETIMEDOUT", "EACCES", "EPERM"]);

/** What Node's errors of a request come to; nothing of them but their code is handed on. */
export function failureOf(error: unknown, host: string, headerBytes: number): NetFailure {
  if (isBelljarError(error)) return { code: "refused", message: error.message };
  const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
  const reason = REASONS[code] ?? (code === "" ? "it ended without a reason" : code);
  if (NO_NAME.test(code)) return { code: "name", message: network.noName(host) };
  if (code === "HPE_HEADER_OVERFLOW") return { code: "limit", message: network.answerHeadersTooLarge(headerBytes) };
  if (CERTIFICATE.test(code)) return { code: "tls", message: network.badCertificate(host, reason) };
  if (TLS.test(code)) return { code: "tls", message: network.broken(host, reason) };
  if (CONNECT.has(code)) return { code: "connect", message: network.noConnection(host, reason) };
  return { code: "broken", message: network.broken(host, code.startsWith("HPE_") ? "its answer is not HTTP" : reason) };
}
