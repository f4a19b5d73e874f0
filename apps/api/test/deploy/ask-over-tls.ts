import { Agent, request } from 'node:https';

/** One call over TLS to a proxy, from a local address that differs from the proxy's own. Resolves with the status. */
export function askOverTls(
  method: string,
  url: string,
  headers: Readonly<Record<string, string>> = {},
  body?: unknown,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const agent = new Agent({ rejectUnauthorized: false, localAddress: '127.0.0.7' });
    const req = request(
      url,
      { method, agent, headers: { 'content-type': 'application/json', ...headers } },
      (res) => {
        res.resume().once('end', () => resolve(res.statusCode ?? 0));
      },
    );
    req.once('error', reject);
    req.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
