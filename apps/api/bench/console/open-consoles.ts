import { once } from 'node:events';
import { Agent, type ClientRequest, get, type IncomingMessage } from 'node:http';
import type { AddedStaff } from '@insurance-verification/schema';
import { API_KEY } from '../ground/bench-server.ts';

const OWN_PAGE = { 'sec-fetch-site': 'same-origin', 'origin-secret': 'A'.repeat(43) };

/** What consoles have read so far. */
export interface OpenConsoles {
  readonly eventCount: () => number;
  readonly close: () => void;
}

/** Signs this many people in and opens the stream of each, as a browser does. */
export async function openConsoles(url: string, count: number): Promise<OpenConsoles> {
  const agent = new Agent({ keepAlive: false });
  let eventCount = 0;
  const open = async (number: number) => {
    const cookie = await signIn(url, number);
    const headers = { cookie, ...OWN_PAGE };
    const request = get(`${url}/console/events`, { agent, headers });
    request.on('error', () => undefined); // cut at the end
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    if (answer.statusCode !== 200) throw new Error(`console.events answered ${answer.statusCode}`);
    answer.on('data', (chunk: Buffer) => (eventCount += chunk.includes('event:') ? 1 : 0));
    answer.on('error', () => undefined);
    return request;
  };
  const requests: ClientRequest[] = [];
  for (let number = 0; number < count; number += 1) requests.push(await open(number));
  return {
    eventCount: () => eventCount,
    close: () => {
      for (const request of requests) request.destroy();
    },
  };
}

/** A session of a new operator, from an address of their own: an address makes ten links a minute. */
async function signIn(url: string, number: number): Promise<string> {
  const post = async (path: string, body: object, headers: Record<string, string>) => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.0.0.${number}`, ...headers },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return answer;
  };
  const added = await post('/staff', { name: 'Operator', roles: ['operator'] }, { 'x-key': API_KEY });
  const { link } = (await added.json()) as AddedStaff;
  const token = link?.path.split('#')[1] ?? '';
  const answer = await post('/console/api/sign-in', { token }, OWN_PAGE);
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}
