import { once } from 'node:events';
import { connect } from 'node:net';

/** A connection that posts, one request at a time. */
export interface PostConnection {
  /** Resolves with the answer's status when all of it is there; rejects when the connection breaks. */
  readonly send: (post: Buffer) => Promise<number>;
  readonly close: () => void;
}

/** A whole request, ready to be sent again and again. */
export function composePost(url: string, headers: Readonly<Record<string, string>>, body: string): Buffer {
  const { host, pathname } = new URL(url);
  const lines = Object.entries({ host, ...headers, 'content-length': String(Buffer.byteLength(body)) });
  return Buffer.from(
    `POST ${pathname} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  );
}

/**
 * Connects to a server. Cheap on purpose, since it shares the machine with what is measured: of an answer it reads only
 * the status and the length. A post and its answer take 39 µs of CPU, and 98 with undici's request, 420 with fetch; a
 * request of intake takes the service itself 280 on that machine.
 */
export async function openPostConnection(url: string): Promise<PostConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  let asked: PromiseWithResolvers<number> | undefined;
  let received: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const status = statusOfWhole(received);
    if (status === null) return;
    received = Buffer.alloc(0);
    asked?.resolve(status);
  });
  socket.on('error', (err) => asked?.reject(err));
  socket.on('close', () => asked?.reject(new Error(`${url} closed a connection under load.`)));
  return {
    send: (post) => {
      asked = Promise.withResolvers();
      socket.write(post);
      return asked.promise;
    },
    close: () => socket.destroy(),
  };
}

/** The status of a complete answer; null while a part is missing. */
function statusOfWhole(answer: Buffer): number | null {
  const headLength = answer.indexOf('\r\n\r\n');
  if (headLength < 0) return null;
  const head = answer.toString('latin1', 0, headLength);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`An answer without a length: ${head}`);
  return answer.length < headLength + 4 + Number(length) ? null : Number(head.slice(9, 12));
}
