import { once } from 'node:events';
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { type Configuration, Provider } from 'oidc-provider';

/** How people know the service here: over https, a proxy in front of it. */
export const PUBLIC_URL = 'https://verify.example.com';

const CLIENT = { id: 'insurance-verification', secret: 'secret-of-the-client-of-the-tests-01234567' };

/** The environment of a service whose people this provider signs in. */
export const providerEnv = (port: number): Record<string, string> => ({
  OIDC_ISSUER: `http://localhost:${port}`,
  OIDC_CLIENT_ID: CLIENT.id,
  OIDC_CLIENT_SECRET: CLIENT.secret,
  OIDC_ROLES: JSON.stringify({
    claim: 'groups',
    scope: 'openid profile groups',
    roles: {
      verifiers: ['verifier'],
      leads: ['operator', 'auditor'],
      admins: ['admin'],
      portal: ['requester'],
    },
  }),
  PUBLIC_URL,
});

/** A person as the provider knows them. */
interface ProviderPerson {
  readonly sub: string;
  readonly name?: string;
  readonly groups?: readonly string[];
  readonly amr?: readonly string[];
  /** How long ago they typed their password, in seconds. */
  readonly since?: number;
  readonly email?: string;
}

export interface TestProvider {
  readonly issuer: string;
  /** Who sits at the provider's page, and signs in there at once; null declines. */
  person: ProviderPerson | null;
  /** What the browser asked the provider for, last. */
  readonly asked: URLSearchParams;
  /** A signed logout token; by another key, if given. */
  logoutToken(
    claims: { readonly [Claim in keyof JWTPayload]: JWTPayload[Claim] | undefined },
    how?: { readonly forged?: boolean; readonly typ?: string },
  ): Promise<string>;
  /** Notifies the service itself that a session, or a person, is signed out. */
  signOut(sub: string, sid?: string): Promise<void>;
  stop(): Promise<void>;
}

export interface ProviderOptions {
  readonly port: number;
  /** Where browsers come back to. */
  readonly publicUrl?: string;
  /** Where the service itself is reached. */
  readonly serviceUrl?: string;
}

const aKeyPair = () => generateKeyPair('RS256', { extractable: true });

/** A real provider, with a page that needs no click. */
export async function aProvider({
  port,
  publicUrl = PUBLIC_URL,
  serviceUrl = publicUrl,
}: ProviderOptions): Promise<TestProvider> {
  const issuer = `http://localhost:${port}`;
  const [own, foreign] = await Promise.all([aKeyPair(), aKeyPair()]);
  const people = new Map<string, ProviderPerson>();
  const asked = { search: new URLSearchParams() };
  const provider = new Provider(issuer, {
    ...CONFIGURATION,
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${publicUrl}/console/sign-in/callback`],
        backchannel_logout_uri: `${serviceUrl}/console/back-channel-logout`,
        backchannel_logout_session_required: true,
        require_auth_time: true,
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(own.privateKey)), kid: 'own', use: 'sig', alg: 'RS256' }] },
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: () => ({ ...people.get(sub), sub, groups: [...(people.get(sub)?.groups ?? [])] }),
    }),
    loadExistingGrant: async (ctx) => {
      const grant = new ctx.oidc.provider.Grant({
        clientId: CLIENT.id,
        accountId: ctx.oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid profile groups');
      await grant.save();
      return grant;
    },
  });
  const testProvider: TestProvider = {
    issuer,
    person: null,
    get asked() {
      return asked.search;
    },
    logoutToken: (claims, { forged = false, typ = 'logout+jwt' } = {}) =>
      new SignJWT({
        iss: issuer,
        aud: CLIENT.id,
        iat: Math.floor(Date.now() / 1000),
        jti: crypto.randomUUID(),
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
        ...(claims as JWTPayload),
      })
        .setProtectedHeader({ alg: 'RS256', kid: 'own', typ })
        .sign(forged ? foreign.privateKey : own.privateKey),
    signOut: async (sub, sid) => {
      const client = await provider.Client.find(CLIENT.id);
      await (
        client as unknown as { backchannelLogout(sub: string, sid?: string): Promise<void> }
      ).backchannelLogout(sub, sid);
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  provider.use(async (ctx, next) => {
    if (ctx.path === '/auth') asked.search = new URLSearchParams(ctx.search);
    if (!ctx.path.startsWith('/interaction/')) return next();
    const { person } = testProvider;
    if (person) people.set(person.sub, person);
    const ts = Math.floor(Date.now() / 1000) - (person?.since ?? 0);
    ctx.respond = false;
    await provider.interactionFinished(
      ctx.req,
      ctx.res,
      person
        ? { login: { accountId: person.sub, ts, ...(person.amr && { amr: [...person.amr] }) } }
        : { error: 'access_denied', error_description: 'The person declined.' },
    );
  });
  const server = createServer(provider.callback());
  server.listen(port, 'localhost');
  await once(server, 'listening');
  return testProvider;
}

const CONFIGURATION: Configuration = {
  claims: { openid: ['sub', 'amr'], profile: ['name'], groups: ['groups'] },
  scopes: ['openid', 'profile', 'groups'],
  // Its own refuses addresses of this machine.
  fetch: (url, { method, headers, body } = {}) => fetch(url, { method, headers, body } as RequestInit),
  features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
  interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  cookies: { keys: ['the-cookies-of-the-provider-of-the-tests'] },
  pkce: { required: () => true },
  ttl: { Session: 600, Grant: 600, Interaction: 600, AccessToken: 600, IdToken: 600 },
  renderError: (ctx, out) => {
    ctx.type = 'json';
    ctx.body = out;
  },
};
