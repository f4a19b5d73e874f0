import { expect, test } from 'vitest';
import { sealAll, sealKey, tamper } from '../../../test/ground/audit-seals.ts';
import { openTestStores } from '../../../test/ground/open-test-stores.ts';
import { checkProof, createSealKey, proveLine, readSealKey } from '../../index.ts';

const { store, sql, connectionString } = await openTestStores();

async function write(count: number): Promise<void> {
  await sql(
    `insert into access_log (at, key_id, account_id, operation, request_id)
     select '2026-11-20T09:30:00.000001Z', 'key_' || n, 'acct_1', 'requests.get', 'req_ü' from generate_series(1, $1) as n`,
    [count],
  );
}

const proofOf = async (id: number) => {
  const proven = await proveLine(store, { id: BigInt(id) });
  return proven.kind === 'proven' ? proven.proof : expect.fail(proven.kind);
};

// Without it an auditor would have to be given the whole log to believe one line.
test('each line of each seal is proven by the public key alone', async () => {
  for (let seal = 0; seal < 4; seal += 1) {
    await write(5 + seal);
    await sealAll(store);
  }
  for (let id = 1; id <= 26; id += 1)
    expect(checkProof(await proofOf(id), [sealKey.verifier])).toMatchObject({
      kind: 'proven',
      line: {
        id: String(id),
        at: '2026-11-20T09:30:00.000001Z',
        accountId: 'acct_1',
        operation: 'requests.get',
        requestId: 'req_ü',
        subjectId: null,
      },
      seal: { origin: sealKey.verifier.name },
    });
});

test('a proof in which one byte is another, or that another key should have signed, proves nothing', async () => {
  const proof = await proofOf(9);
  expect(proof).toMatch(
    /^c2sp\.org\/tlog-proof@v1\nextra \S+\nindex 8\n(\S+\n)+\ninsurance-verification\/audit\//,
  );
  const other = [readSealKey(createSealKey()).verifier];
  expect(checkProof(proof, other)).toEqual({ kind: 'unknown_key', names: [sealKey.verifier.name] });
  const keys = [sealKey.verifier];
  const extra = /extra (\S+)/.exec(proof)?.[1] ?? '';
  const record = Buffer.from(extra, 'base64');
  record[record.length - 20] = (record.at(-20) ?? 0) ^ 1;
  expect(checkProof(proof.replace(extra, record.toString('base64')), keys).kind).toBe('forged');
  expect(checkProof(proof.replace('index 8', 'index 7'), keys).kind).toBe('forged');
  expect(checkProof(proof.replace('\nlines ', '\nlines 1'), keys).kind).toBe('forged');
  for (const text of ['', proof.slice(5), proof.replace('index', 'place'), proof.replace(extra, 'AAAA')])
    expect(checkProof(text, keys)).toEqual({ kind: 'unreadable' });
});

test('what is not there, not sealed yet or not as it was sealed is not proven', async () => {
  await sealAll(store);
  await write(1);
  const [last] = await sql<{ id: string }>('select max(id) as id from access_log');
  const id = BigInt(last?.id ?? 0);
  expect(await proveLine(store, { id })).toEqual({ kind: 'not_sealed' });
  expect(await proveLine(store, { id: id + 1n })).toEqual({ kind: 'not_found' });
  await tamper(connectionString, `update access_log set key_id = 'key_x' where id = 2`);
  expect(await proveLine(store, { id: 3n })).toEqual({ kind: 'not_as_sealed', number: 1 });
});
