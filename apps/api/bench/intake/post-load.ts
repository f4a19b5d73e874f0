import { connect, type Socket } from 'node:net';

export interface PostLoad {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly connectionCount: number;
  readonly seconds: number;
}

export interface Answers {
  /** Answers with a 2xx. */
  readonly okCount: number;
  readonly failedCount: number;
  /** Milliseconds from the sent request to its complete answer, shortest first. */
  readonly latenciesMs: readonly number[];
}

/**
 * Repeats one POST over several connections, one request at a time on each. Cheap on purpose, since it shares the
 * machine with what it measures: it reads only an answer's status and length, some 30 µs of CPU per request. autocannon
 * took 90, almost as much as the floor itself.
 */
export async function postLoad({ url, headers, body, connectionCount, seconds }: PostLoad): Promise<Answers> {
  const { host, hostname, port, pathname } = new URL(url);
  const lines = Object.entries({ host, ...headers, 'content-length': String(Buffer.byteLength(body)) });
  const request = Buffer.from(
    `POST ${pathname} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  );
  const endsAt = performance.now() + seconds * 1000;
  const statuses: number[] = [];
  const latenciesMs: number[] = [];

  const drive = (socket: Socket) =>
    new Promise<void>((resolve, reject) => {
      let sentAt = 0;
      let rest: Buffer = Buffer.alloc(0);
      const send = () => {
        sentAt = performance.now();
        socket.write(request);
      };
      socket.setNoDelay(true);
      socket.on('connect', send);
      socket.on('data', (chunk: Buffer) => {
        rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
        const status = statusOfWhole(rest);
        if (status === null) return;
        rest = Buffer.alloc(0);
        const now = performance.now();
        statuses.push(status);
        latenciesMs.push(now - sentAt);
        if (now < endsAt) send();
        else {
          resolve();
          socket.destroy();
        }
      });
      socket.on('error', reject);
      socket.on('close', () => reject(new Error(`${url} closed a connection under load.`)));
    });

  await Promise.all(
    Array.from({ length: connectionCount }, () => drive(connect({ host: hostname, port: Number(port) }))),
  );
  const okCount = statuses.filter((status) => status >= 200 && status < 300).length;
  return {
    okCount,
    failedCount: statuses.length - okCount,
    latenciesMs: latenciesMs.toSorted((a, b) => a - b),
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
