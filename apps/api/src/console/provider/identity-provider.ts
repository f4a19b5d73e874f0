import type { SignInRefusal, StaffRole } from '@insurance-verification/schema';
import type { LoginSecrets, ProvenIdentity } from '@insurance-verification/store';
import type { JWTVerifyGetKey } from 'jose';
import type { Configuration, IDToken } from 'openid-client';
import type { ProviderConfig } from '../../config/read-provider.ts';

/** Seconds that the provider may take to answer one call. */
const TIMEOUT_SECONDS = 5;

/** Seconds by which the provider's clock may be ahead of ours; the library allows as many for a token's other times. */
const CLOCK_TOLERANCE_SECONDS = 30;

/** Seconds since a person proved who they are, up to which a sign-in counts as fresh. */
const FRESH_SECONDS = 15 * 60;

interface Begun {
  /** The address of the provider's authorization endpoint, with its parameters. */
  readonly url: URL;
  /** The state for {@link IdentityProvider.finish}, which the browser keeps encrypted. */
  readonly secrets: Pick<LoginSecrets, 'state' | 'nonce' | 'codeVerifier'>;
}

type Finished =
  | { readonly kind: 'proven'; readonly identity: ProvenIdentity }
  | { readonly kind: SignInRefusal; readonly cause?: unknown };

/**
 * The client of the identity provider (OpenID Connect). Discovery runs at the first use, so that the service starts
 * without the provider.
 */
export interface IdentityProvider {
  /** Begins a sign-in with PKCE (S256), state and nonce. `fresh`: the provider must authenticate the person again. */
  begin(fresh: boolean): Promise<Begun | { readonly kind: 'provider_down'; readonly cause: unknown }>;
  /** Exchanges the code of the callback `returned` for tokens and verifies the ID token. The tokens are not kept. */
  finish(returned: URL, secrets: LoginSecrets): Promise<Finished>;
  /**
   * The issuer, and the keys that it signs with (`jwks_uri`).
   * @throws where the provider does not answer.
   */
  keys(): Promise<{ readonly issuer: string; readonly keySet: JWTVerifyGetKey }>;
}

export function createIdentityProvider(provider: ProviderConfig, publicUrl: URL): IdentityProvider {
  const redirectUri = new URL('/console/sign-in/callback', publicUrl).href;
  let discovery: ReturnType<typeof discover> | undefined;
  let keySet: JWTVerifyGetKey | undefined;
  /** Caches the discovery; a failed one is repeated at the next call. */
  const known = () =>
    (discovery ??= discover(provider).catch((err: unknown) => {
      discovery = undefined;
      throw err;
    }));

  return {
    begin: async (fresh) => {
      try {
        const { client, configuration } = await known();
        const secrets = {
          state: client.randomState(),
          nonce: client.randomNonce(),
          codeVerifier: client.randomPKCECodeVerifier(),
        };
        const url = client.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: provider.scope,
          state: secrets.state,
          nonce: secrets.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(secrets.codeVerifier),
          code_challenge_method: 'S256',
          ...(fresh && { prompt: 'login', max_age: String(FRESH_SECONDS) }),
        });
        return { url, secrets };
      } catch (err) {
        return { kind: 'provider_down', cause: err };
      }
    },

    finish: async (returned, { state, nonce, codeVerifier, fresh }) => {
      try {
        const { client, configuration } = await known();
        const tokens = await client.authorizationCodeGrant(configuration, returned, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          ...(fresh && { maxAge: FRESH_SECONDS }),
        });
        const idToken = tokens.claims();
        if (!idToken) return { kind: 'provider_refused' };
        const { requiredAmr, rolesClaim } = provider;
        const amr = textsOf(idToken['amr']);
        if (requiredAmr.length > 0 && !requiredAmr.some((one) => amr.includes(one)))
          return { kind: 'amr_missing' };
        // Milliseconds, or a clock that is years ahead, would keep a sign-in fresh for as long.
        if ((idToken.auth_time ?? 0) > Date.now() / 1000 + CLOCK_TOLERANCE_SECONDS)
          return { kind: 'provider_refused', cause: new Error('auth_time is in the future') };
        const hasRoles = claimAt(idToken, rolesClaim) !== undefined;
        const asksMore = !hasRoles && configuration.serverMetadata().userinfo_endpoint !== undefined;
        const more = asksMore
          ? await client.fetchUserInfo(configuration, tokens.access_token, idToken.sub)
          : {};
        return { kind: 'proven', identity: toIdentity(provider, { ...more, ...idToken }) };
      } catch (err) {
        return { kind: refusalOf(err), cause: err };
      }
    },

    keys: async () => {
      const { issuer, jwks_uri: jwksUrl } = (await known()).configuration.serverMetadata();
      if (jwksUrl === undefined) throw new Error('The provider names no keys.');
      const { createRemoteJWKSet } = await import('jose');
      keySet ??= createRemoteJWKSet(new URL(jwksUrl), { timeoutDuration: TIMEOUT_SECONDS * 1000 });
      return { issuer, keySet };
    },
  };
}

/** Loads the library and runs the discovery, at the first use. */
export async function discover(provider: ProviderConfig) {
  const client = await import('openid-client');
  const basic = client.ClientSecretBasic(provider.clientSecret);
  const post = client.ClientSecretPost(provider.clientSecret);
  const configuration: Configuration = await client.discovery(
    provider.issuer,
    provider.clientId,
    undefined,
    (server, ...call) => {
      const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
      return (ways.includes('client_secret_basic') ? basic : post)(server, ...call);
    },
    {
      timeout: TIMEOUT_SECONDS,
      execute: [
        client.enableNonRepudiationChecks, // signatures as well: an operator may have named an address on plain http
        ...(provider.issuer.protocol === 'http:' ? [client.allowInsecureRequests] : []),
      ],
    },
  );
  return { client, configuration };
}

function toIdentity(provider: ProviderConfig, claims: IDToken): ProvenIdentity {
  const { iss: issuer, sub: subject, name, preferred_username: username, sid, auth_time: at } = claims;
  const groups = textsOf(claimAt(claims, provider.rolesClaim));
  const roles = new Set<StaffRole>(groups.flatMap((group) => provider.rolesOf.get(group) ?? []));
  const known = textsOf([name, username]).find((one) => one.trim() !== '') ?? subject;
  return {
    issuer,
    subject,
    name: known.trim().slice(0, 200),
    roles: [...roles],
    provenAt: typeof at === 'number' ? new Date(at * 1000) : null,
    sid: typeof sid === 'string' ? sid : null,
  };
}

/** Maps an error of openid-client to a refusal, by its code: its messages are for developers. */
function refusalOf(err: unknown): SignInRefusal {
  const { code, error } = err as { code?: unknown; error?: unknown };
  switch (code) {
    case 'OAUTH_AUTHORIZATION_RESPONSE_ERROR':
      return error === 'access_denied' ? 'declined' : 'provider_refused';
    case 'OAUTH_RESPONSE_BODY_ERROR':
      return error === 'invalid_grant' ? 'code_used' : 'provider_refused';
    case 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED':
      return 'not_fresh';
    case 'OAUTH_INVALID_RESPONSE':
    case 'OAUTH_JWT_CLAIM_COMPARISON_FAILED':
      return 'tampered';
    case 'OAUTH_TIMEOUT':
    case undefined:
      return 'provider_down';
    default:
      return 'provider_refused';
  }
}

/** A claim by its name; dots lead into nested claims, as in `realm_access.roles`. Undefined without it. */
function claimAt(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let found: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined;
    found = (found as Record<string, unknown>)[part];
  }
  return found;
}

/** The strings of a claim that is a string or a list; others are dropped. */
function textsOf(claim: unknown): string[] {
  const all: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return all.filter((one) => typeof one === 'string');
}
