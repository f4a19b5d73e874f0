import { hash } from 'node:crypto';
import pg from 'pg';
import { archiveMonth } from '../audit/archive-month.ts';
import { dropMonth } from '../audit/drop-month.ts';
import { createSealKey, readSealKey } from '../audit/keys.ts';
import { sealLines } from '../audit/seal-lines.ts';
import { withAudit } from '../audit/with-audit.ts';
import type { Month } from '../months/log-parts.ts';
import { createTestDatabase } from './create-test-database.ts';
import { monthsPassed } from './months-passed.ts';

export interface DroppedAudit {
  readonly databaseUrl: string;
  /** The key that sealed the audit and signed the drop. */
  readonly sealKey: string;
  readonly month: Month;
}

/** A database whose last month of the audit went, 30 lines in three seals; it has a line of the present one. */
export async function aDroppedMonth(): Promise<DroppedAudit> {
  const { connectionString } = await createTestDatabase();
  const client = new pg.Client({ connectionString });
  await client.connect();
  const [passed] = await monthsPassed({ sql: (text) => client.query(text) }, 1);
  const month = passed?.month ?? '0000-01';
  await client.query(
    `insert into access_log (id, at, operation) select n, $1, 'requests.get' from generate_series(1, 30) as n`,
    [`${month}-05T10:00:00Z`],
  );
  await client.query(`insert into access_log (operation) values ('requests.get')`);
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
    signing: { key, archive: hash('sha256', archive), by: 'ann@ops1' },
  });
  if (dropped.kind !== 'dropped') throw new Error(`The month was not dropped: ${dropped.kind}.`);
  return { databaseUrl: connectionString, sealKey, month };
}
