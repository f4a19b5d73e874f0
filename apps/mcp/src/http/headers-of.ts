import type { IncomingMessage } from 'node:http';
import { mayBeApiKey } from '../may-be-api-key.ts';

/** As the parser took them; a header that fetch's rules refuse is left out, since the SDK asks for none such. */
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

/** Clients that can send no header of their own choice send the key as a bearer token. */
export function keyOf(headers: Headers): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];
  const key = headers.get('x-key') || bearer;
  return key !== undefined && mayBeApiKey(key) ? key : undefined;
}
