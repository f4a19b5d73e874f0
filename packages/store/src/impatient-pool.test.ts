import { expect, test } from 'vitest';
import { openTestStores } from '../test/open-test-stores.ts';
import { checkDatabase, isDatabaseUnavailable } from './index.ts';

const { open } = await openTestStores();

// Without the way back each caller who gave up would cost the pool a connection, and the last one the service.
test('a caller who gave up waiting leaves the connection to the next', async () => {
  const small = await open({ connectionCountMax: 1 });
  await small.db.connection().execute(async () => {
    const refused = await Promise.allSettled([checkDatabase(small), checkDatabase(small)]);
    for (const result of refused)
      expect(result).toEqual({ status: 'rejected', reason: expect.toSatisfy(isDatabaseUnavailable) });
  });
  await checkDatabase(small);
  await Promise.all([checkDatabase(small), checkDatabase(small)]);
});
