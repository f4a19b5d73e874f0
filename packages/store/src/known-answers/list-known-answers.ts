import {
  initialsOf,
  type KnownAnswer,
  type SeededRequestList,
  stateOf,
} from '@insurance-verification/schema';
import type { Caller } from '../access/caller.ts';
import { within } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import { subjectNameOf } from '../access/subject-name.ts';
import { decryptOrNull } from '../encryption/encrypt.ts';
import { openRequestInfo } from '../intake/read-request.ts';
import type { Store } from '../open-store.ts';
import { type PageOptions, readPage } from '../page.ts';
import { knownAnswerPlace } from './seed-known-answer.ts';

/** The requests whose answer is known, within the caller's reach, newest first. */
export async function listKnownAnswers(
  { db, vault }: Store,
  { caller, ...page }: PageOptions & { readonly caller: Caller },
): Promise<SeededRequestList> {
  const { rows, next_cursor } = await readPage(
    db
      .selectFrom('request')
      .innerJoin('known_answer', 'known_answer.request_id', 'request.id')
      .select(['id', 'account_id', 'payer_name', 'input', 'outcome', 'delivery', 'erased_at'])
      .select(['answer', 'seeded_at', 'seeded_by'])
      .select(subjectNameOf('seeded_by').as('seeded_by_name'))
      .where(within(caller, 'account_id')),
    page,
  );
  await recordAccess(db, {
    caller,
    operation: 'knownAnswers.list',
    requestIds: rows.map(({ id }) => id),
  });
  const items = rows.map(async ({ id, account_id: accountId, ...row }) => {
    const isErased = row.erased_at !== null;
    const input = isErased
      ? null
      : await decryptOrNull(openRequestInfo(vault, { id, account_id: accountId, input: row.input }));
    return {
      request_id: id,
      payer: row.payer_name,
      patient_initials: initialsOf(input?.patient_info.name),
      state: stateOf(row.outcome, row.delivery),
      answer: isErased
        ? null
        : await decryptOrNull(
            vault.decryptJson<KnownAnswer>({ accountId }, knownAnswerPlace(id), row.answer),
          ),
      seeded_at: row.seeded_at.toISOString(),
      seeded_by: row.seeded_by,
      seeded_by_name: JSON.parse(row.seeded_by_name ?? 'null') as string | null,
    };
  });
  return { items: await Promise.all(items), next_cursor };
}
