import { expect, test } from 'vitest';
import { useService } from './a-service.ts';

const service = useService({ env: { ROLES: 'http' } });

// Broke: generated clients of a document whose only server was "/" had no host to call.
test.each<[what: string, headers: Record<string, string>, server: string | null]>([
  ['as the client wrote it', { host: 'verify.example:8443' }, 'http://verify.example:8443'],
  ['over IPv6', { host: '[::1]:3000' }, 'http://[::1]:3000'],
  ['behind a proxy', { host: 'verify.example', 'x-forwarded-proto': 'https' }, 'https://verify.example'],
  [
    'behind two proxies that keep no host',
    { host: 'api', 'x-forwarded-host': 'verify.example, inner', 'x-forwarded-proto': 'https, http' },
    'https://verify.example',
  ],
  ['with a host that is none', { host: 'a"b' }, null],
])('the server is the address under which the document was asked for: %s', async (_, headers, server) => {
  const { json } = await service.ask('GET', '/openapi.json', { headers, key: null });
  expect((json as { servers: unknown }).servers).toMatchObject([{ url: server ?? service.url }]);
});
