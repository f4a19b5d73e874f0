import { problemOf } from '@insurance-verification/schema';
import { expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { aService } from '../a-service.ts';

// Without it keys could be guessed at the service's full speed; if stricter, an attack would lock the right key out.
test('wrong keys are sixty a minute an address, and the right key of that address always passes', async () => {
  const service = await aService({ env: { TRUSTED_PROXIES: '127.0.0.0/8' } });
  const right = await aKey(service);
  const guess = (address: string, key: string | null = 'wrong-key-0123456789') =>
    service.ask('GET', '/requests/', { key, headers: { 'x-forwarded-for': address } });
  // One a second comes back, and sixty guesses take a busy machine some seconds.
  const begunAt = performance.now();
  let guessCount = 0;
  let refused = await guess('198.51.100.1');
  for (; refused.status === 401; refused = await guess('198.51.100.1')) {
    expect(refused.headers['ratelimit']).toBeUndefined();
    guessCount += 1;
  }
  expect(guessCount).toBeGreaterThanOrEqual(60);
  expect(guessCount).toBeLessThanOrEqual(61 + (performance.now() - begunAt) / 1_000);
  expect([refused.status, refused.json]).toEqual([
    429,
    problemOf('rate_limited', { violated_policies: ['wrong-keys'] }),
  ]);
  expect(refused.headers).toMatchObject({ 'retry-after': '1', 'ratelimit-policy': '"wrong-keys";q=60;w=60' });
  expect((await guess('198.51.100.1', right)).status).toBe(200);
  expect((await guess('198.51.100.1', null)).status).toBe(401);
  expect((await guess('198.51.100.2')).status).toBe(401);
});
