import { StaffRole } from '@insurance-verification/schema';
import type { SignInWay } from '@insurance-verification/store';
import { isLoopbackHost } from '@insurance-verification/webhook';
import * as z from 'zod';
import { isAddressOfNumbers } from '../network/own-pages.ts';
import { httpUrl, list } from './config-fields.ts';

/** The identity provider that signs people in. */
export interface ProviderConfig {
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What is asked of it: `openid profile`, and what else its claims need. */
  readonly scope: string;
  /** The claim that holds a person's groups; dots lead into nested claims. */
  readonly rolesClaim: string;
  /** The roles of each group. */
  readonly rolesOf: ReadonlyMap<string, readonly StaffRole[]>;
  /** A sign-in needs one of these `amr` values; empty: any sign-in is accepted. */
  readonly requiredAmr: readonly string[];
}

export const PROVIDER_VARIABLES = {
  SIGN_IN: z.enum(['passkeys'], 'expected passkeys, or nothing').optional(),
  OIDC_ISSUER: httpUrl('https://login.example.com').optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_ROLES: z.string().optional(),
  OIDC_REQUIRED_AMR: z.string().optional(),
  PUBLIC_URL: httpUrl('https://verify.example.com')
    .refine(({ href, origin }) => href === `${origin}/`, 'expected an address without a path')
    .optional(),
};

type ProviderVariables = z.output<z.ZodObject<typeof PROVIDER_VARIABLES>>;

const Roles = z.strictObject({
  claim: z.string().min(1),
  scope: z.string().default('openid profile'),
  roles: z.record(z.string(), z.array(StaffRole).min(1)),
});

const ROLES_FORM =
  '{"claim":"groups","roles":{"billing-staff":["verifier"],"billing-leads":["operator","admin"]}}';

/** How people sign in, and the identity provider where it is one. */
export interface SignInConfig {
  /** By a link only on one machine; by passkeys with `SIGN_IN`; by a provider with `OIDC_ISSUER`. */
  readonly signInWay: SignInWay;
  readonly provider: ProviderConfig | undefined;
}

/**
 * How people sign in.
 * @throws {TypeError} for a part that is missing or cannot be used. No message repeats the secret.
 */
export function readSignIn(variables: ProviderVariables, onlyHttps: boolean): SignInConfig {
  const provider = readProvider(variables, onlyHttps);
  const { SIGN_IN: passkeys, PUBLIC_URL: publicUrl } = variables;
  if (!passkeys) return { provider, signInWay: provider ? 'provider' : 'link' };
  if (provider)
    throw new TypeError('SIGN_IN: people sign in with passkeys or through OIDC_ISSUER: set one of them.');
  if (!publicUrl)
    throw new TypeError('PUBLIC_URL: required with SIGN_IN=passkeys: where browsers reach the service.');
  if (isAddressOfNumbers(publicUrl))
    throw new TypeError(
      'PUBLIC_URL: expected a name with SIGN_IN=passkeys: browsers make none for an IP address.',
    );
  return { provider, signInWay: 'passkey' };
}

/** Undefined without `OIDC_ISSUER`. */
function readProvider(variables: ProviderVariables, onlyHttps: boolean): ProviderConfig | undefined {
  const { OIDC_ISSUER: issuer, PUBLIC_URL: publicUrl } = variables;
  requireHttps('PUBLIC_URL', publicUrl, onlyHttps);
  const names = ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_ROLES', 'OIDC_REQUIRED_AMR'] as const;
  if (!issuer) {
    const alone = names.find((name) => variables[name] !== undefined);
    if (alone !== undefined) throw new TypeError(`${alone}: needs OIDC_ISSUER, the provider's address.`);
    return undefined;
  }
  requireHttps('OIDC_ISSUER', issuer, onlyHttps);
  const { OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_ROLES: roles } = variables;
  if (clientId === undefined) throw new TypeError('OIDC_CLIENT_ID: required with OIDC_ISSUER.');
  if (clientSecret === undefined) throw new TypeError('OIDC_CLIENT_SECRET: required with OIDC_ISSUER.');
  if (!publicUrl)
    throw new TypeError('PUBLIC_URL: required with OIDC_ISSUER: where browsers reach the service.');
  const mapping = readRoles(roles);
  return {
    issuer,
    clientId,
    clientSecret,
    scope: mapping.scope,
    rolesClaim: mapping.claim,
    rolesOf: new Map(Object.entries(mapping.roles)),
    requiredAmr: list(variables.OIDC_REQUIRED_AMR ?? ''),
  };
}

/** Plain http only where nothing leaves the machine: tokens and cookies travel on these addresses. */
function requireHttps(name: string, url: URL | undefined, onlyHttps: boolean): void {
  if (!url || url.protocol === 'https:') return;
  if (onlyHttps || !isLoopbackHost(url.hostname.replace(/^\[|\]$/g, '')))
    throw new TypeError(`${name}: expected https; plain http is for this machine alone.`);
}

function readRoles(text: string | undefined): z.output<typeof Roles> {
  if (text === undefined)
    throw new TypeError(`OIDC_ROLES: required with OIDC_ISSUER, for example ${ROLES_FORM}.`);
  const parsed = Roles.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new TypeError(
    `OIDC_ROLES: at ${JSON.stringify(issue?.path.join('.'))}, ${issue?.message}. Expected ${ROLES_FORM}.`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (err) {
    throw new TypeError(`OIDC_ROLES: not JSON. Expected ${ROLES_FORM}.`, { cause: err });
  }
}
