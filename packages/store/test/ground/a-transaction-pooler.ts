import net from 'node:net';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { onTestFinished } from 'vitest';

export interface TransactionPooler {
  /** The same database through the pooler. */
  readonly connectionString: string;
  /** Process ids of its backends. */
  readonly backendPids: () => number[];
}

interface Backend {
  readonly socket: net.Socket;
  readonly pid: number;
  client: net.Socket | null;
}

/**
 * A pooler like PgBouncer in transaction mode: a client has a backend from its first message until the server reports
 * that no transaction is open, with no reset in between. It accepts every client and is removed after the test.
 */
export async function aTransactionPooler(
  connectionString: string,
  { backendCount = 1 }: { backendCount?: number } = {},
): Promise<TransactionPooler> {
  const backends: Backend[] = [];
  const idle: Backend[] = [];
  const waiting: ((backend: Backend) => void)[] = [];
  const clients = new Set<net.Socket>();
  /** Backends that are opened in place of closed ones. */
  const opening: Promise<void>[] = [];
  let isClosed = false;

  const free = (backend: Backend) => {
    backend.client = null;
    const next = waiting.shift();
    if (next) next(backend);
    else idle.push(backend);
  };
  const open = async () => {
    const backend = await aBackend(connectionString);
    if (isClosed) backend.socket.destroy();
    const onMessage = messages((type, message) => {
      backend.client?.write(message);
      if (type === 'Z' && message[5] === 0x49 && backend.client) free(backend);
    });
    backend.socket.on('data', onMessage);
    backend.socket.on('error', () => undefined); // the following close event matters
    backend.socket.on('close', () => {
      for (const list of [backends, idle]) {
        const at = list.indexOf(backend);
        if (at >= 0) list.splice(at, 1);
      }
      backend.client?.destroy();
      if (!isClosed) opening.push(open());
    });
    backends.push(backend);
    free(backend);
  };

  const server = net.createServer({ noDelay: true }, (client) => {
    clients.add(client);
    let backend: Backend | null = null;
    let isAsking = false;
    let pending: Buffer[] = [];
    let isGreeted = false;
    const onMessage = messages((type, message) => {
      if (type === 'X') return client.end();
      if (backend?.client === client) return void backend.socket.write(message);
      pending.push(message);
      if (isAsking) return undefined;
      isAsking = true;
      const take = (taken: Backend) => {
        isAsking = false;
        backend = taken;
        if (client.destroyed) return free(taken);
        taken.client = client;
        taken.socket.write(Buffer.concat(pending));
        pending = [];
        return undefined;
      };
      const first = idle.pop();
      if (first) take(first);
      else waiting.push(take);
      return undefined;
    });
    client.on('data', (bytes) => {
      if (isGreeted) return onMessage(bytes);
      isGreeted = true;
      client.write(greeting());
      return undefined;
    });
    client.on('error', () => undefined);
    // When a client leaves mid-transaction, its backend's state is unknown, so it is dropped too.
    client.on('close', () => backend?.client === client && backend.socket.destroy());
  });
  await Promise.all(Array.from({ length: backendCount }, open));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    isClosed = true;
    server.close();
    for (const client of clients) client.destroy();
    for (const { socket } of backends) socket.destroy();
    await Promise.all(opening); // the database is dropped next
  });
  const through = new URL(connectionString);
  through.hostname = '127.0.0.1';
  through.port = String((server.address() as AddressInfo).port);
  return { connectionString: through.href, backendPids: () => backends.map(({ pid }) => pid) };
}

/** A session that node-postgres opened and authenticated and then released. */
async function aBackend(connectionString: string): Promise<Backend> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const socket = (client as unknown as { connection: { stream: net.Socket } }).connection.stream;
  socket.removeAllListeners(); // Node's own listener too, which closes the socket when the server ends it
  socket.on('end', () => socket.destroy());
  socket.setNoDelay(true);
  return { socket, pid: rows[0]?.pid ?? 0, client: null };
}

/** A server's greeting after authentication, with a made-up process id. */
function greeting(): Buffer {
  const message = (type: string, body: Buffer) => {
    const head = Buffer.alloc(5);
    head.write(type);
    head.writeInt32BE(body.length + 4, 1);
    return Buffer.concat([head, body]);
  };
  return Buffer.concat([
    message('R', Buffer.alloc(4)),
    message('S', Buffer.from('client_encoding\0UTF8\0')),
    message('K', Buffer.alloc(8)),
    message('Z', Buffer.from('I')),
  ]);
}

/** Splits a stream into protocol 3 messages; an incomplete one waits for the next chunk. */
function messages(take: (type: string, message: Buffer) => unknown): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5 && rest.length >= 1 + rest.readInt32BE(1)) {
      const end = 1 + rest.readInt32BE(1);
      const message = rest.subarray(0, end);
      rest = rest.subarray(end);
      take(String.fromCharCode(message[0] ?? 0), message);
    }
  };
}
