import { createServer as createPlain, type RequestListener, type Server } from "node:http";
import { createServer as createSecure } from "node:https";
import { type AddressInfo, createServer as createRaw, type Socket } from "node:net";
import { CERTIFICATE, KEY } from "./certificates.ts";

/** A server on a free port of this machine; disposing it closes its connections too. */
export interface LocalServer extends AsyncDisposable {
  readonly port: number;
  /** Connections that were made to it. */
  readonly connections: () => number;
}

export function serveHttp(listener: RequestListener, host = "127.0.0.1"): Promise<LocalServer> {
  return listen(createPlain(listener), host);
}

export function serveHttps(listener: RequestListener): Promise<LocalServer> {
  return listen(createSecure({ cert: CERTIFICATE, key: KEY }, listener), "127.0.0.1");
}

/** A server that speaks for itself, byte by byte. */
export async function serveRaw(onSocket: (socket: Socket) => void): Promise<LocalServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createRaw((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: portOf(server.address()),
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function listen(server: Server, host: string): Promise<LocalServer> {
  let connections = 0;
  server.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    port: portOf(server.address()),
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}
