import type { AddedStaff, AddStaff, Myself } from '@insurance-verification/schema';
import type { OperationName } from '@insurance-verification/schema/contract';
import type { TestService } from '../a-service.ts';
import type { Answer } from '../send.ts';
import { consoleTransport } from '../transports.ts';

/**
 * Lets a test choose its client address: an address gets ten links and ten sign-in attempts per minute, and every test
 * calls from 127.0.0.1.
 */
export const BEHIND_A_PROXY = { TRUSTED_PROXIES: '127.0.0.0/8' };

let clientCount = 0;

/** Headers of a new client address. */
export function aClient(): Record<string, string> {
  clientCount += 1;
  return { 'x-forwarded-for': `10.${clientCount >> 16}.${(clientCount >> 8) & 255}.${clientCount & 255}` };
}

/** The headers of a call from the console's own page: a browser's, and what the page keeps in its storage. */
export const OWN_PAGE = {
  'sec-fetch-site': 'same-origin',
  'content-type': 'application/json',
  'origin-secret': 'secret-of-the-origin-of-the-tests-000000000',
};

/** A newly added person, with the token of a link. */
export async function aPerson(
  service: TestService,
  { name = 'Ada Jones', roles = ['requester'], account_id = null }: Partial<AddStaff>,
): Promise<AddedStaff & { readonly token: string }> {
  const body = { name, roles, account_id };
  const { status, text, json } = await service.ask('POST', '/staff', { body, headers: aClient() });
  if (status !== 200) throw new Error(`staff.add answered ${status}: ${text}`);
  const added = json as AddedStaff;
  return { ...added, token: added.link?.path.split('#')[1] ?? '' };
}

/** Tries to sign in with a link's token, as the console's page does. */
export function signIn(
  service: TestService,
  token: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return service.ask('POST', '/console/api/sign-in', {
    key: null,
    body: { token },
    headers: { ...OWN_PAGE, ...aClient(), ...headers },
  });
}

/** A session's cookie as a browser sends it back. */
export function cookieOf({ headers }: Answer): string {
  const [cookie = ''] = headers['set-cookie'] ?? [];
  return cookie.split(';')[0] ?? '';
}

export interface TestSession {
  readonly session_id: string;
  readonly staff_id: string;
  /** For calls to the console's endpoint: no key, this session's cookie. */
  readonly asked: { readonly key: null; readonly headers: Record<string, string> };
}

/** A signed-in person. */
export async function aSession(service: TestService, person: Partial<AddStaff>): Promise<TestSession> {
  const { token } = await aPerson(service, person);
  const answer = await signIn(service, token);
  if (answer.status !== 200) throw new Error(`sign-in answered ${answer.status}: ${answer.text}`);
  const { id, session } = answer.json as Myself;
  const headers = { ...OWN_PAGE, cookie: cookieOf(answer) };
  return { session_id: session?.session_id ?? '', staff_id: id, asked: { key: null, headers } };
}

/** Calls of a service from the console's own page, in a session; `headers` stand beside the page's own. */
export const callsOf =
  (service: () => TestService) =>
  (
    session: TestSession,
    operation: OperationName,
    input = {},
    headers: Record<string, string> = {},
  ): Promise<Answer> =>
    consoleTransport.call(service(), operation, input, {
      key: null,
      headers: { ...session.asked.headers, ...headers },
    });
