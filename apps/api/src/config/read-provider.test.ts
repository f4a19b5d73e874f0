import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const PROVIDER = {
  OIDC_ISSUER: 'https://login.example.com/realm',
  OIDC_CLIENT_ID: 'verify',
  OIDC_CLIENT_SECRET: 'hidden-secret',
  OIDC_ROLES: '{"claim":"realm_access.roles","roles":{"leads":["operator","admin"]}}',
  PUBLIC_URL: 'https://verify.example.com',
};

const PASSKEYS = { SIGN_IN: 'passkeys', PUBLIC_URL: 'https://verify.example.com' };

function faultOf(environment: Record<string, string>): string {
  try {
    readConfig(environment);
  } catch (err) {
    if (!(err instanceof ConfigError)) throw err;
    const [, ...faults] = err.message.split('\n');
    return faults.map((fault) => fault.trim()).join('\n');
  }
  return '';
}

test('a provider signs people in wherever the service listens', () => {
  const { provider, publicUrl, hasConsole } = readConfig({
    ...PROVIDER,
    HOST: '0.0.0.0',
    OIDC_REQUIRED_AMR: 'mfa, hwk',
  });
  expect(provider).toEqual({
    issuer: new URL('https://login.example.com/realm'),
    clientId: 'verify',
    clientSecret: 'hidden-secret',
    scope: 'openid profile',
    rolesClaim: 'realm_access.roles',
    rolesOf: new Map([['leads', ['operator', 'admin']]]),
    requiredAmr: ['mfa', 'hwk'],
  });
  expect([publicUrl?.origin, hasConsole]).toEqual(['https://verify.example.com', true]);
});

test('off this machine there is a console with passkeys or a provider only', () => {
  expect(readConfig({})).toMatchObject({ hasConsole: true, signInWay: 'link' });
  expect(readConfig({ HOST: '0.0.0.0' })).toMatchObject({ hasConsole: false, signInWay: 'link' });
  const { hasConsole, signInWay, provider } = readConfig({ ...PASSKEYS, HOST: '0.0.0.0' });
  expect([hasConsole, signInWay, provider]).toEqual([true, 'passkey', undefined]);
  expect(readConfig({ ...PASSKEYS, PUBLIC_URL: 'http://localhost:3000' }).signInWay).toBe('passkey');
});

test.each<[Record<string, string>, string]>([
  [{ PUBLIC_URL: '' }, 'PUBLIC_URL: required with SIGN_IN=passkeys: where browsers reach the service.'],
  [PROVIDER, 'SIGN_IN: people sign in with passkeys or through OIDC_ISSUER: set one of them.'],
  [{ SIGN_IN: 'passwords' }, 'SIGN_IN: expected passkeys, or nothing'],
  [
    { PUBLIC_URL: 'http://localhost:3000', HOST: '0.0.0.0' },
    'PUBLIC_URL: expected https; plain http is for this machine alone.',
  ],
  [
    { PUBLIC_URL: 'https://192.0.2.7' },
    'PUBLIC_URL: expected a name with SIGN_IN=passkeys: browsers make none for an IP address.',
  ],
])('passkeys with %j stop the start', (change, sentence) => {
  expect(faultOf({ ...PASSKEYS, ...change })).toBe(sentence);
});

// In production too, where the address is the last fault of several.
test('in production passkeys need https', () => {
  const there = { ...PASSKEYS, NODE_ENV: 'production', PUBLIC_URL: 'http://verify.example.com' };
  expect(faultOf(there)).toContain('PUBLIC_URL: expected https; plain http is for this machine alone.');
});

// Cookies and tokens travel on these addresses.
test('plain http is only for this machine', () => {
  const there = { OIDC_ISSUER: 'http://localhost:8080', PUBLIC_URL: 'http://localhost:3000' };
  expect(readConfig({ ...PROVIDER, ...there }).provider?.issuer.port).toBe('8080');
  for (const name of ['OIDC_ISSUER', 'PUBLIC_URL'] as const) {
    const sentence = `${name}: expected https; plain http is for this machine alone.`;
    expect(faultOf({ ...PROVIDER, [name]: 'http://login.example.com' })).toBe(sentence);
    expect(faultOf({ ...PROVIDER, [name]: there[name], HOST: '0.0.0.0' })).toBe(sentence);
  }
});

test.each(Object.keys(PROVIDER).filter((name) => name !== 'OIDC_ISSUER'))(
  'a provider without %s stops the start',
  (name) => {
    expect(faultOf({ ...PROVIDER, [name]: '' })).toMatch(new RegExp(`^${name}: required with OIDC_ISSUER`));
  },
);

test.each([
  [{ OIDC_ISSUER: '' }, /^OIDC_CLIENT_ID: needs OIDC_ISSUER/],
  [{ OIDC_ISSUER: 'login' }, /^OIDC_ISSUER: expected https:\/\/login\.example\.com/],
  [{ PUBLIC_URL: 'https://verify.example.com/app' }, /^PUBLIC_URL: expected an address without a path/],
  [{ OIDC_ROLES: 'leads' }, /^OIDC_ROLES: not JSON\. Expected \{"claim"/],
  [{ OIDC_ROLES: '{"claim":"groups"}' }, /^OIDC_ROLES: at "roles"/],
  [{ OIDC_ROLES: '{"claim":"groups","roles":{"leads":["boss"]}}' }, /^OIDC_ROLES: at "roles\.leads\.0"/],
  [{ OIDC_ROLES: '{"claim":"groups","roles":{"leads":[]}}' }, /^OIDC_ROLES: at "roles\.leads"/],
])('%j stops the start with a sentence, and no secret', (change, sentence) => {
  const fault = faultOf({ ...PROVIDER, ...change });
  expect(fault).toMatch(sentence);
  expect(fault).not.toContain('hidden-secret');
});
