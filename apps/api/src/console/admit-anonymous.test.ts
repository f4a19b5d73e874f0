import { openStore } from '@insurance-verification/store';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { afterAll, expect, test } from 'vitest';
import { rows } from '../../test/rows.ts';
import { createLog } from '../telemetry/log.ts';
import { createRefusalRecord } from './admit-anonymous.ts';

const { connectionString } = await createTestDatabase();
const store = await openStore({
  connectionString,
  encryptionKey: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
});
afterAll(() => store.close());

// Without it anonymous senders from many addresses could fill the audit, which is permanent.
test('of many refused sign-ins a minute sixty are on record, and the log says that there are more', async () => {
  const lines: string[] = [];
  const record = createRefusalRecord(store, createLog('info', { write: (line) => void lines.push(line) }));
  for (let count = 0; count < 70; count += 1)
    await record({ way: 'link', refusal: 'link_not_valid', address: `192.0.2.${count}` });
  expect(await rows(connectionString, `select from access_log where outcome = 'refused'`)).toHaveLength(60);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('more sign-ins are refused than the audit takes in a minute');
});
