import { refuse } from "../errno.ts";

/** The four socket calls of preview 1: there are no sockets. */
export function sockFunctions() {
  const none = (): never => refuse("notsup");
  return { sock_accept: none, sock_recv: none, sock_send: none, sock_shutdown: none };
}
