import { connect } from 'node:net';
import { onTestFinished } from 'vitest';

/** One answer as received on the wire. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The text parsed as JSON; undefined when it is not JSON. */
  readonly json: unknown;
}

/** A TCP connection for raw bytes of a test. */
export interface Connection {
  /** Writes bytes; a closed connection drops them. */
  write(bytes: string | Uint8Array): void;
  /** Resolves when the connection is open. */
  opened(): Promise<unknown>;
  /** Ends the writing side; answers are still read. */
  end(): void;
  /** The first complete answer. */
  answer(): Promise<Answer>;
  /** Resolves when the text has arrived, such as `100 Continue` after a head. */
  heard(text: string): Promise<unknown>;
  /** Everything received until the other side closed. */
  closed(): Promise<string>;
  /** Resets the connection, like a dying client. */
  cut(): void;
}

export function aConnection(url: string): Connection {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = Buffer.alloc(0);
  let isClosed = false;
  const watchers = new Set<() => void>();
  const changed = () => {
    for (const watcher of watchers) watcher();
  };
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    changed();
  });
  socket.on('connect', changed);
  socket.on('error', () => undefined); // only the following close counts
  socket.on('close', () => {
    isClosed = true;
    changed();
  });
  onTestFinished(() => void socket.destroy());

  /** Checks again whenever data arrives; only the test's own timeout ends it. */
  const when = <T>(what: string, look: () => T | undefined) =>
    new Promise<T>((resolve, reject) => {
      const watcher = () => {
        const seen = look();
        if (seen !== undefined) resolve(seen);
        else if (isClosed) reject(new Error(`The connection closed before ${what}.`));
        else return;
        watchers.delete(watcher);
      };
      watchers.add(watcher);
      watcher();
    });

  return {
    write: (bytes) => void (socket.writable && socket.write(bytes)),
    opened: () => when('it opened', () => !socket.connecting || undefined),
    end: () => void socket.end(),
    answer: () => when('an answer came', () => firstAnswer(received)),
    heard: (text) => when(`"${text}" came`, () => received.includes(text) || undefined),
    closed: () => when('it closed', () => (isClosed ? received.toString('utf8') : undefined)),
    cut: () => socket.resetAndDestroy(),
  };
}

/** Sends bytes on a new connection and returns the answer. */
export function exchange(url: string, bytes: string | Uint8Array): Promise<Answer> {
  const connection = aConnection(url);
  connection.write(bytes);
  return connection.answer();
}

/** Undefined until head and body are complete. */
function firstAnswer(received: Buffer): Answer | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [statusLine = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const rest = received.subarray(end + 4);
  const isChunked = headers['transfer-encoding'] === 'chunked';
  const text = isChunked ? joined(rest) : rest.toString('utf8');
  if (text === undefined || rest.length < Number(headers['content-length'] ?? 0)) return undefined;
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    text,
    json: parsed(text),
  };
}

/** The text of a chunked body; undefined until the last chunk has arrived. */
function joined(bytes: Buffer): string | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const length = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (length === 0) return Buffer.concat(chunks).toString('utf8');
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + length));
    at = lineEnd + 2 + length + 2;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
