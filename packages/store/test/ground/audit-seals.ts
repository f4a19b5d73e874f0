import pg from 'pg';
import {
  createSealKey,
  readSealKey,
  sealLines,
  type SealsVerdict,
  type Store,
  verifySeals,
} from '../../src/index.ts';

/** The key of this file's seals. */
export const sealPem = createSealKey();
export const sealKey = readSealKey(sealPem);

/** Seals until nothing is left; the numbers of the seals. */
export async function encryptAll(store: Store, lineCountMax?: number): Promise<number[]> {
  const numbers: number[] = [];
  for (;;) {
    const sealed = await sealLines(store, {
      key: sealKey,
      ...(lineCountMax !== undefined && { lineCountMax }),
    });
    if (sealed.kind === 'none') return numbers;
    if (sealed.kind === 'sealed') numbers.push(sealed.seal.number);
  }
}

/** Verifies all seals; the fault and the seal's number, or how many seals and lines are as they were. */
export async function verdictOf(store: Store): Promise<[string, number] | [number, number]> {
  return summary(await verifySeals(store, { keys: [sealKey.verifier], after: 0 }));
}

export function summary(verdict: SealsVerdict): [string, number] | [number, number] {
  return verdict.kind === 'bad'
    ? [verdict.range.fault, verdict.range.number]
    : [verdict.sealCount, verdict.lineCount];
}

/** What the tables' owner or a superuser can do, past the triggers that refuse it. */
export async function tamper(connectionString: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const turnTriggers = async (word: 'disable' | 'enable') => {
    const { rows } = await client.query<{ name: string }>(
      `select name::text from unnest(array['access_log', 'audit_seal', 'audit_drop']::regclass[]) as name
       union select inhrelid::regclass::text from pg_inherits where inhparent = 'access_log'::regclass`,
    );
    for (const { name } of rows) await client.query(`alter table ${name} ${word} trigger user`);
  };
  try {
    await turnTriggers('disable');
    for (const statement of statements) await client.query(statement);
    await turnTriggers('enable');
  } finally {
    await client.end();
  }
}
