import { freePort } from './free-port.ts';

/** A local address without a listener. */
export async function aSilentUrl(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}`;
}
