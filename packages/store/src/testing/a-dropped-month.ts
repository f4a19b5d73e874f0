import { hash } from 'node:crypto';
import pg from 'pg';
import { archiveMonth } from '../audit/dropped/archive-month.ts';
import { createSealKey, readSealKey } from '../audit/note/seal-key.ts';
import { sealLines } from '../audit/sealing/seal-lines.ts';
import { withAudit } from '../audit/with-audit.ts';
import { dropMonth } from '../partitions/drop-month.ts';
import type { Month } from '../partitions/month.ts';
import { createTestDatabase } from './create-test-database.ts';
import { monthsPassed } from './months-passed.ts';

export interface DroppedAudit {
  readonly databaseUrl: string;
  /** The key that sealed the audit and signed the drop. */
  readonly sealKey: string;
  readonly month: Month;
}

/** A database whose last month went with its 30 lines of the audit, sealed as three seals. */
export async function aDroppedMonth(): Promise<DroppedAudit> {
  const { connectionString } = await createTestDatabase();
  const client = new pg.Client({ connectionString });
  await client.connect();
  const [month = '0000-01'] = await monthsPassed({ sql: (text) => client.query(text) }, 1);
  await client.query(
    `insert into access_log (at, operation) select $1, 'requests.get' from generate_series(1, 30)`,
    [`${month}-05T10:00:00Z`],
  );
  await client.end();
  const sealKey = createSealKey();
  const key = readSealKey(sealKey);
  const archive = await withAudit(connectionString, async (store) => {
    while ((await sealLines(store, { key, lineCountMax: 10 })).kind === 'sealed');
    const found = await archiveMonth(store, { month });
    let text = '';
    if (found.kind === 'found') for await (const part of found.parts) text += part;
    return text;
  });
  const dropped = await dropMonth(connectionString, {
    month,
    withAudit: true,
    dryRun: false,
    signing: { key, archive: hash('sha256', archive), by: 'ann@ops1' },
    now: Date.now() + 4 * 86_400_000,
  });
  if (dropped.kind !== 'dropped') throw new Error(`The month was not dropped: ${dropped.kind}.`);
  return { databaseUrl: connectionString, sealKey, month };
}
