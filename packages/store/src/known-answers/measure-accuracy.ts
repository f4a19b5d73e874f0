import {
  type FieldAccuracy,
  type InsurancePlanData,
  type KnownAnswer,
  type ResponseModel,
  type VerificationSource,
} from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { within } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import { subjectNameOf } from '../access/subject-name.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import type { StoredFinding } from '../output/apply-findings.ts';
import { heldOwner, heldPlace } from '../output/held/held-encryption.ts';
import { CORRECTION_MINUTES } from '../verification/work/correct-work.ts';
import { type Judged, judgeAnswer } from './judge-answer.ts';
import { knownAnswerPlace } from './seed-known-answer.ts';

interface AccuracyRange {
  readonly caller: Caller;
  readonly from: Date;
  readonly until: Date;
}

/**
 * Compares every answer to a request whose right answer is known, given in [`from`, `until`), and counts by verifier,
 * channel and field. Each attempt is an answer of its verifier: one that failed leaves every field open, and the next
 * channel's is counted by itself. Of a verifier's own versions the last counts that was submitted within the ten minutes
 * for corrections, applied or held; an output that is held and not applied counts while it is kept.
 */
export async function measureAccuracy(
  store: Store,
  { caller, from, until }: AccuracyRange,
): Promise<FieldAccuracy[]> {
  const minutes = sql`make_interval(mins => ${CORRECTION_MINUTES})`;
  const { rows } = await sql<AnswerRow>`
    with given as (
      select request.id, request.account_id, known_answer.answer, attempt.number, attempt.key_id, attempt.channel,
        attempt.outcome, attempt.ended_at, attempt.result_version, result.body,
        min(attempt.ended_at) filter (where attempt.result_version is not null)
          over (partition by request.id, attempt.key_id) as first_at
      from known_answer
      join request on request.id = known_answer.request_id
      join verification_attempt as attempt on attempt.request_id = request.id
      left join result on result.request_id = request.id and result.version = attempt.result_version
      where attempt.outcome in ('succeeded', 'failed', 'held') and request.erased_at is null
        and ${within(caller, 'request.account_id')}
    ), ranked as (
      select *, max(number) filter (where result_version is not null and ended_at <= first_at + ${minutes})
        over (partition by id, key_id) as last_number
      from given
    )
    select ranked.id, account_id, answer, key_id, ${subjectNameOf('key_id')} as name, channel, result_version as version,
      ranked.body, held.id as held_id, held.received_by, held.body as held_body
    from ranked left join lateral (
      select offered.id, offered.received_by, offered.body from held_output as offered
      where coalesce(offered.request_id, offered.named_request_id) = ranked.id
        and offered.request_id = ranked.id and offered.received_by = key_id and offered.status <> 'applied'
        and case outcome
          when 'held' then offered.reason = 'agent_result' and offered.received_at = ended_at
          else result_version is not null and offered.reason = 'superseding'
            and offered.received_at <= first_at + ${minutes} end
      order by offered.received_at desc limit 1
    ) as held on true
    where ended_at >= ${from} and ended_at < ${until} and case
        when result_version is not null then number = last_number
        when outcome = 'held' then last_number is null and held.id is not null
        else true end
    order by ended_at desc, ranked.id desc`.execute(store.db);
  await recordAccess(store.db, { caller, operation: 'knownAnswers.report' });
  const tallies = new Map<string, Tally>();
  for (const row of rows)
    for (const judged of await judge(store, row)) {
      const group = groupOf(row, judged);
      const key = JSON.stringify(Object.values(group));
      const tally = tallies.get(key) ?? new Tally(group);
      tallies.set(key, tally);
      tally.add(row.id, judged);
    }
  return [...tallies].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, tally]) => tally.row());
}

interface AnswerRow {
  readonly id: string;
  readonly account_id: string;
  readonly answer: Buffer;
  readonly key_id: string | null;
  /** A JSON string. */
  readonly name: string | null;
  readonly channel: VerificationSource | null;
  /** Null for an attempt without a result. */
  readonly version: number | null;
  readonly body: Buffer | null;
  /** What the verifier submitted and was held in the place of a result; null for none. */
  readonly held_id: string | null;
  readonly received_by: string | null;
  readonly held_body: Buffer | null;
}

async function judge({ vault }: Store, row: AnswerRow): Promise<Judged[]> {
  const owner = { accountId: row.account_id };
  const known = await vault.decryptJson<KnownAnswer>(owner, knownAnswerPlace(row.id), row.answer);
  return judgeAnswer(known, await coveragesOf(vault, row));
}

async function coveragesOf(vault: Store['vault'], row: AnswerRow): Promise<readonly InsurancePlanData[]> {
  const { id, account_id, version, body, held_id: heldId, received_by, held_body: heldBody } = row;
  if (heldId !== null && heldBody !== null) {
    const ref = { id: heldId, account_id, received_by, named_request_id: null };
    const held = await vault.decryptJson<ResponseModel>(heldOwner(ref), heldPlace('body', ref), heldBody);
    return held.insurance_data;
  }
  if (body === null) return [];
  const place = `result.body:${id}.${version}`;
  return (await vault.decryptJson<StoredFinding>({ accountId: account_id }, place, body)).insuranceData;
}

type Group = Pick<FieldAccuracy, 'verifier_id' | 'verifier_name' | 'channel' | 'field' | 'code'>;

/** The X12 channel's own name is not an id. */
const groupOf = ({ key_id: by, name, channel }: AnswerRow, { field, code }: Judged): Group => ({
  verifier_id: by !== null && (isIssuedId('key', by) || isIssuedId('stf', by)) ? by : null,
  verifier_name: JSON.parse(name ?? 'null') as string | null,
  channel,
  field,
  code,
});

const WRONG_IDS_MAX = 100;

class Tally {
  readonly #group: Group;
  readonly #counts = { right: 0, wrong: 0, unanswered: 0 };
  readonly #wrongIds: string[] = [];

  constructor(group: Group) {
    this.#group = group;
  }

  add(requestId: string, { verdict }: Judged): void {
    this.#counts[verdict] += 1;
    if (verdict === 'wrong' && this.#wrongIds.length < WRONG_IDS_MAX) this.#wrongIds.push(requestId);
  }

  row(): FieldAccuracy {
    const { right, wrong, unanswered } = this.#counts;
    const interval = wilson(right, right + wrong);
    return {
      ...this.#group,
      answered_count: right + wrong,
      right_count: right,
      wrong_count: wrong,
      unanswered_count: unanswered,
      right_share_low: interval?.low ?? null,
      right_share_high: interval?.high ?? null,
      wrong_request_ids: this.#wrongIds,
    };
  }
}

/** The quantile of the normal distribution for 95 %. */
const Z = 1.959_964;

/** Wilson's score interval for a share; null without an observation. (Wilson, JASA 22, 1927) */
export function wilson(hits: number, count: number): { readonly low: number; readonly high: number } | null {
  if (count === 0) return null;
  const share = hits / count;
  const spread = Z * Math.sqrt((share * (1 - share)) / count + Z ** 2 / (4 * count ** 2));
  const center = share + Z ** 2 / (2 * count);
  const scale = 1 + Z ** 2 / count;
  return { low: Math.max(0, (center - spread) / scale), high: Math.min(1, (center + spread) / scale) };
}
