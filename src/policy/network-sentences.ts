import { GRANTS } from "./grants.ts";
import { LIMITS } from "./limits.ts";
import { count, number, quote } from "./sentences.ts";

/** Why a request was not made, or did not come to its end; each begins what the language's own error says. */
export const network = {
  notGranted: (host: string, allowed: readonly string[]): string =>
    allowed.length === 0
      ? `No network here: ${host} was not allowed. The user can start Belljar with --${GRANTS.net.flag}=${host}`
      : `No network to ${host}: only ${listed(allowed)} ${allowed.length === 1 ? "was" : "were"} allowed. The user can start Belljar with --${GRANTS.net.flag}=${host} too`,
  reserved: (host: string, address: string, kind: string, grant: string): string =>
    host === address
      ? `No network to ${host}, which is a ${kind} address: the user has to name it itself, with --${GRANTS.net.flag}=${grant}`
      : `No network to ${host}: it is at ${address}, a ${kind} address, which its name alone does not open. If that is meant, the user can start Belljar with --${GRANTS.net.flag}=${grant} too`,
  malformed: (url: string): string => `${quote(url)} is no URL that can be requested: write http:// or https://, a host, and at most 16,384 characters.`,
  scheme: (scheme: string): string => `Requests go by http and https, and not by ${quote(scheme)}.`,
  credentials: (): string => "A URL must not hold a name and password. Send them in an Authorization header.",
  port: (port: number): string => `Port ${String(port)} belongs to another protocol, so no request is sent to it.`,
  method: (method: string): string => `${quote(method)} is no method that can be sent.`,
  header: (name: string): string => `The header ${quote(name)} holds characters that no header may have, such as a line break.`,
  headersTooLarge: (bytes: number, most: number): string =>
    `The headers of the request are ${number(bytes)} bytes, and at most ${number(most)} are sent (--${LIMITS.netHeaders.flag}).`,
  answerHeadersTooLarge: (most: number): string => `The headers of the answer are larger than ${number(most)} bytes (--${LIMITS.netHeaders.flag}).`,
  tooManyRequests: (most: number): string => `This run has made ${count(most, "request")}, which is the most (--${LIMITS.netRequests.flag}).`,
  tooManyBytes: (most: number): string =>
    `This run has sent and received more than ${number(most)} bytes over the network, which is the most (--${LIMITS.netBytes.flag}). Ask for less, or for a part.`,
  timeout: (ms: number): string => `The request was not done after ${number(ms)} ms (--${LIMITS.netTimeout.flag}).`,
  secretWithheld: (name: string, host: string): string =>
    `The secret ${name} goes to ${host} alone, and over https alone, so this request was not sent.`,
  bodyLength: (told: number, sent: number): string => `The body was said to be ${count(told, "byte")} and was ${number(sent)}.`,
  noName: (host: string): string => `There is no host named ${host}, or its name can't be looked up now.`,
  noConnection: (host: string, reason: string): string => `No connection to ${host}: ${reason}.`,
  badCertificate: (host: string, reason: string): string => `${host} can't prove that it is that host: ${reason}. Certificates are always checked.`,
  broken: (host: string, reason: string): string => `The exchange with ${host} broke: ${reason}.`,
  closed: (): string => "This request is over.",
  notUnderstood: (): string => "What was asked of the network is no request.",
} as const;

function listed(hosts: readonly string[]): string {
  return hosts.length > 5 ? `${hosts.slice(0, 5).join(", ")} and ${number(hosts.length - 5)} more` : hosts.join(", ");
}
