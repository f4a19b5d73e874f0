import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import type { PayerNames } from '@insurance-verification/schema';
import { createContract } from '@insurance-verification/schema/contract';
import { StartError } from '../config/start-error.ts';
import type { ConsoleSite } from '../console/site.ts';
import type { App } from '../procedure/context/app.ts';
import { createRouter } from '../router.ts';
import type { DocumentedApi } from './pages/docs.ts';
import { createHttpServer } from './server.ts';

interface HttpOptions {
  readonly app: App;
  readonly consoleSite: ConsoleSite;
  readonly listener: 'main' | 'metrics';
  readonly port: number;
  /** False while the process drains. */
  readonly isReady: () => boolean;
  /** False once the port is closed. */
  readonly isOpen: () => boolean;
}

/** Serves the API if this process has the http role, and probes and metrics in any role; or serves the metrics listener. */
export async function startHttp({
  app,
  consoleSite,
  listener,
  port: wantedPort,
  isReady,
  isOpen,
}: HttpOptions) {
  const { host, payers, roles } = app.config;
  const api = listener === 'main' && roles.includes('http') ? createApi(payers.names) : null;
  const mcp = api && (await import('../mcp/serve-mcp.ts')).serveMcp(app, api);
  const server = createHttpServer({ app, consoleSite, listener, api, mcp, isReady, isOpen });
  try {
    server.listen(wantedPort, host);
    await once(server, 'listening'); // throws the error of the `error` event
  } catch (err) {
    throw nameListenFailure(err, {
      host,
      port: wantedPort,
      variable: listener === 'main' ? 'PORT' : 'METRICS_PORT',
    });
  }
  const sockets = openSockets(server);
  const answered = answeredEarly(server);
  const { address, family, port } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    /**
     * Takes no new connection, and ends what is there by the deadline. An idle connection stays for `lingerMs`: a proxy
     * that is about to call on it gets its answer, and with it the end of the connection.
     */
    stop: async (deadlineMs: number, lingerMs: number) => {
      const ended = new Promise<void>((resolve) => {
        // The HTTP server's own `close` would end idle connections at once.
        if (lingerMs > 0) NetServer.prototype.close.call(server, () => resolve());
        else server.close(() => resolve());
        setTimeout(() => {
          server.closeIdleConnections();
          // Node counts a connection without a byte as a request under way, and waits for its headers.
          for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
        }, lingerMs).unref();
        setTimeout(() => server.closeAllConnections(), deadlineMs).unref();
      });
      // Such a client may never send the rest: it has a second to read its answer.
      const cutting = setInterval(() => answered.forEach((socket) => socket.destroy()), ANSWER_READ_MS);
      await Promise.all([ended, mcp?.close()]).finally(() => clearInterval(cutting));
    },
  };
}

/** Milliseconds between two looks for connections whose answer was sent before their request had come. */
const ANSWER_READ_MS = 1_000;

/** Connections that were answered before their request had come whole, such as a refused upload. */
function answeredEarly(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('request', (req, res) => {
    res.once('finish', () => {
      if (req.complete) return;
      const { socket } = req;
      const forget = () => sockets.delete(socket);
      sockets.add(socket);
      req.once('end', forget);
      socket.once('close', forget);
    });
  });
  return sockets;
}

function openSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

function createApi(payers: PayerNames): DocumentedApi {
  const { operations, schemas } = createContract({ payers });
  return { router: createRouter(operations), schemas };
}

/** Where a server should listen, and the variable that its port came from. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  readonly variable: 'PORT' | 'METRICS_PORT';
}

const EXPECTED_HOST =
  'Expected an address of this machine: 127.0.0.1 for this machine only, 0.0.0.0 for all its networks.';

/** A failed `listen`, with the variable that would fix it. */
export function nameListenFailure(err: unknown, address: ListenAddress): StartError {
  const code = (err as NodeJS.ErrnoException).code ?? 'unknown';
  return new StartError(describe(code, address), { cause: err });
}

function describe(code: string, { host, port, variable }: ListenAddress): string {
  if (code === 'EADDRINUSE')
    return `${variable}: another program listens on port ${port} of ${host} (${code}). Set it to a free one, or to 0 to have one chosen: ${variable}=${port + 1}.`;
  // Ports from 1024 on need no privileges: for those the address is at fault.
  if (code === 'EACCES' && port > 0 && port < 1024)
    return `${variable}: this user may not listen on port ${port} (${code}); ports below 1024 need elevated privileges. For example: ${variable}=3000.`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `HOST: ${host} has no address (${code}). ${EXPECTED_HOST}`;
  return `HOST: ${host} cannot be listened on here (${code}). ${EXPECTED_HOST}`;
}
