import type { AddStaff, BegunPasskey } from '@insurance-verification/schema';
import type { TestService } from '../../a-service.ts';
import type { Answer } from '../../send.ts';
import { consoleTransport } from '../../transports.ts';
import { aClient, aSession, OWN_PAGE, type TestSession } from '../a-session.ts';
import {
  anAuthenticator,
  type CreationOptions,
  type TestAuthenticator,
  type Wrong,
} from './an-authenticator.ts';

/** The name by which a browser calls the service, since it makes no passkey for 127.0.0.1. */
const hostOf = ({ url }: TestService): string => `localhost:${new URL(url).port}`;
export const originOf = (service: TestService): string => `http://${hostOf(service)}`;

/** Calls an operation as a session does whose page is at localhost. */
export function asked({ asked: { headers } }: TestSession, service: TestService) {
  return { key: null, headers: { ...headers, host: hostOf(service) } };
}

/** Begins a passkey. */
export async function begin(service: TestService, session: TestSession) {
  const answer = await consoleTransport.call(service, 'passkeys.begin', {}, asked(session, service));
  if (answer.status !== 200) throw new Error(`passkeys.begin answered ${answer.status}: ${answer.text}`);
  const { token, options } = consoleTransport.output<BegunPasskey>(answer);
  return { token, options: options as unknown as CreationOptions };
}

/** Registers a passkey, or tries to. */
export async function register(
  service: TestService,
  session: TestSession,
  authenticator: TestAuthenticator,
  wrong?: Wrong,
): Promise<Answer> {
  const { token, options } = await begin(service, session);
  const body = { token, name: 'Laptop', credential: authenticator.create(options, wrong) };
  return consoleTransport.call(service, 'passkeys.add', body, asked(session, service));
}

/** A person who is signed in and has a passkey. */
export async function aPasskey(
  service: TestService,
  person: Partial<AddStaff> = {},
): Promise<TestSession & { readonly authenticator: TestAuthenticator; readonly passkey_id: string }> {
  const session = await aSession(service, person);
  const authenticator = anAuthenticator(originOf(service));
  const added = await register(service, session, authenticator);
  if (added.status !== 200) throw new Error(`passkeys.add answered ${added.status}: ${added.text}`);
  const { passkey_id } = consoleTransport.output<{ passkey_id: string }>(added);
  return { ...session, authenticator, passkey_id };
}

/** What a browser is asked to have signed, and the cookie it keeps meanwhile. */
export async function challenged(service: TestService, headers: Record<string, string> = {}) {
  const answer = await service.ask('POST', '/console/api/sign-in/passkey/begin', {
    key: null,
    body: {},
    headers: { ...OWN_PAGE, ...aClient(), host: hostOf(service), ...headers },
  });
  if (answer.status !== 200) throw new Error(`begin answered ${answer.status}: ${answer.text}`);
  const [cookie = ''] = answer.headers['set-cookie'] ?? [];
  return { options: answer.json as { challenge: string }, set: cookie, cookie: cookie.split(';')[0] ?? '' };
}

/** Hands in what a passkey has signed. */
export function handIn(
  service: TestService,
  cookie: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return service.ask('POST', '/console/api/sign-in/passkey', {
    key: null,
    body,
    headers: { ...OWN_PAGE, ...aClient(), host: hostOf(service), cookie, ...headers },
  });
}

/** Signs in with a passkey, or tries to. */
export async function signInWith(
  service: TestService,
  authenticator: TestAuthenticator,
  wrong?: Wrong,
): Promise<Answer> {
  const { options, cookie } = await challenged(service);
  return handIn(service, cookie, authenticator.get(options, wrong));
}
