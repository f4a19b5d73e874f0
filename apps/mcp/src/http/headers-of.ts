import type { IncomingMessage } from 'node:http';
import { mayBeApiKey } from '../may-be-api-key.ts';

/** The headers as parsed; drops those that fetch's rules reject, since the SDK reads none of them. */
export function headersOf(req: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(req.headersDistinct)) {
    for (const value of values) {
      try {
        headers.append(name, value);
      } catch {
        continue;
      }
    }
  }
  return headers;
}

/** The key, as a header or as a bearer token: some clients cannot send custom headers. */
export function keyOf(headers: Headers): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];
  const key = headers.get('x-key') || bearer;
  return key !== undefined && mayBeApiKey(key) ? key : undefined;
}
