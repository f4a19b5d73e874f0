import { request } from 'node:http';

/** One call as sent on the wire. */
export interface Ask {
  /** Sent as JSON; a string or bytes unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One answer as received on the wire. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The text parsed as JSON; undefined when it is not JSON. */
  readonly json: unknown;
}

/** Uses node:http, since fetch refuses to send invalid requests and hides parts of the answer. */
export function send(method: string, url: string, { body, headers = {} }: Ask = {}): Promise<Answer> {
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const payload = body === undefined ? undefined : raw ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const req = request(url, {
      method,
      agent: false,
      headers: {
        ...(payload !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(payload),
        }),
        ...headers,
      },
    });
    req.on('error', reject);
    req.on('response', (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('error', reject);
      res.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: res.statusCode ?? 0, headers: res.headers, text, json: parsed(text) });
      });
    });
    req.end(payload);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
