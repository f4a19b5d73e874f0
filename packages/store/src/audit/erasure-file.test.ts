import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { expect, test } from 'vitest';
import { sealKey, tamper } from '../../test/ground/audit-seals.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { aPrivacyPerson, erase } from '../../test/ground/some-people.ts';
import { aFinishedRequest, anAccount } from '../../test/ground/stages.ts';
import { openSealFile, resumeSealing, sealLines } from '../index.ts';

const { store, connectionString } = await openTestStores();

/** A file of seals, with what is next to it. */
function aFile(path = join(aFolder(), 'seals.jsonl')) {
  const file = openSealFile(path);
  const seal = async () => {
    const sealed = await sealLines(store, { key: sealKey, file });
    return sealed.kind === 'sealed' ? sealed.seal.number : sealed.kind;
  };
  const kept = () =>
    readFileSync(`${path}.erasures`, 'utf8')
      .trimEnd()
      .split('\n')
      .filter((line) => line.endsWith('}'))
      .map((line) => (JSON.parse(line) as { request: string }).request);
  return { path, file, seal, kept };
}

/** Erases a finished request, with a certificate. */
async function anErasure() {
  const caller = await anAccount(store);
  const { request_id: requestId } = await aFinishedRequest(store, caller);
  const erased = await erase(store, requestId, { confirmer: await aPrivacyPerson(store) });
  if (erased.kind !== 'confirmed') throw new Error(erased.kind);
  const { erasure_id: erasureId, erased_at: erasedAt } = erased.erasure;
  return { requestId, erasureId, erasedAt: new Date(erasedAt ?? '') };
}

// Broke: a restored backup had the data of erased requests again, and nothing said whose.
test('after a restore the erasures that it has undone are named, and no others', async () => {
  const { file, seal, kept } = aFile();
  const before = await anErasure();
  const lastSeal = await seal();
  const lost = [await anErasure(), await anErasure()];
  await seal();
  expect(kept()).toEqual([before, ...lost].map(({ requestId }) => requestId));

  // The backup was made before the last two.
  const ids = lost.map(({ requestId }) => `'${requestId}'`).join();
  await tamper(
    connectionString,
    `delete from audit_seal where number > ${lastSeal}`,
    `delete from access_log where id > (select last_id from audit_seal where number = ${lastSeal})`,
    `delete from erasure where request_id in (${ids})`,
    `update request set erased_at = null where id in (${ids})`,
  );
  expect(await seal()).toBe('differs');
  const resumed = await resumeSealing(store, { key: sealKey, file, by: 'ann@ops1', reason: 'restored' });
  expect(resumed).toMatchObject({ kind: 'resumed', lostErasures: lost });
});

test('the file of another machine gets what it lacks, each once, also after half a line', async () => {
  const [one, other] = [aFile(), aFile()];
  const first = await anErasure();
  await one.seal();
  await one.seal();
  const countBefore = one.kept().length;
  expect(one.kept().filter((id) => id === first.requestId)).toHaveLength(1);
  appendFileSync(`${one.path}.erasures`, '{"erasure":"ers_');
  const second = await anErasure();
  await other.seal();
  await one.seal();
  expect(other.kept()).toEqual(one.kept());
  expect(one.kept()).toHaveLength(countBefore + 1);
  expect(one.kept().at(-1)).toBe(second.requestId);
});
