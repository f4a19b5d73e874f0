import type {
  ComparedValue,
  FailedTest,
  HeldDecision,
  HeldReason,
  RequestModel,
  ResponseModel,
} from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { recordAccess } from '../../access/record-access.ts';
import { subjectNameOf } from '../../access/subject-name.ts';
import { openRequestModel } from '../../intake/read-request.ts';
import { isIssuedId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import { type Mismatch, mismatchesOf } from '../decide-disposition.ts';
import { readHeldOutput, type ReadHeldOutput } from '../held/read-held.ts';
import { compareValues } from './compare-values.ts';
import { readStanding, selectAsked } from './held-differences.ts';

export interface HeldComparing {
  readonly caller: Caller;
  readonly heldId: string;
  /** The request to compare it with; by default the one that it was applied to, else the one that it names. */
  readonly requestId: string | undefined;
  /** The stable id of a payer's name. */
  readonly payerIdOf: (name: string) => string;
}

/** A held output compared with a request, in the API's form. */
interface HeldComparisonView {
  readonly held: ReadHeldOutput['held'];
  readonly request: RequestModel | null;
  readonly standing: ResponseModel | null;
  readonly decision: HeldDecision | null;
  readonly sentence: string;
  readonly failed_tests: FailedTest[];
  readonly values: ComparedValue[];
  readonly receiver: { account_id: string; account_name: string; host: string } | null;
}

export type ComparedHeldOutput =
  | {
      readonly kind: 'compared';
      readonly comparison: HeldComparisonView;
      readonly benefits: ReadHeldOutput['benefits'];
    }
  /** `unknown_request`: no such request within the caller's reach. `erased`: its data is gone. */
  | { readonly kind: 'not_found' | 'unknown_request' | 'erased' };

/**
 * Compares a held output with its request and with the current result, and lists the rules that it fails. A settled
 * one is compared with the result that the request had when it was settled: an applied output would not differ from
 * the result that it became.
 */
export async function compareHeldOutput(
  store: Store,
  { caller, heldId, requestId, payerIdOf }: HeldComparing,
): Promise<ComparedHeldOutput> {
  const found = await readHeldOutput(store, { caller, heldId });
  if (!found) return { kind: 'not_found' };
  const { held, benefits } = found;
  const settlement = held.status === 'held' ? null : await readSettlement(store, heldId);
  const comparedId = requestId ?? settlement?.appliedTo ?? held.request_id;
  const read =
    comparedId === null
      ? null
      : await readRequest(store, caller, { requestId: comparedId, before: settlement?.at });
  if (requestId !== undefined && read === null) return { kind: 'unknown_request' };
  if (requestId !== undefined && read === 'erased') return { kind: 'erased' };
  // One that names a request that was erased can still be read, and dismissed.
  const beside = read === 'erased' ? null : read;
  await recordAccess(store.db, {
    caller,
    operation: 'heldOutputs.compare',
    subjectId: heldId,
    ...(comparedId !== null && beside && { requestIds: [comparedId] }),
  });
  const { output } = held;
  const { input: claimed } = output.request;
  const request = beside?.request ?? null;
  const values = compareValues({
    asked: request,
    standing: beside?.finding ?? null,
    offered: output,
  });
  const mismatches = beside
    ? mismatchesOf(output, payerIdOf(claimed.payer_info.name), {
        id: comparedId ?? '',
        payerId: beside.payerId,
        input: beside.request.input,
      })
    : [];
  const failing = { hasRequest: beside !== null, hasResult: Boolean(beside?.standing) };
  const tests = failedTests({ reason: held.reason, mismatches, ...failing });
  return {
    kind: 'compared',
    benefits,
    comparison: {
      held,
      request,
      standing: beside?.standing ?? null,
      decision: settlement?.decision ?? null,
      sentence: sentenceOf(held.reason, tests, values),
      failed_tests: tests,
      values,
      receiver: beside?.receiver ?? null,
    },
  };
}

interface Settlement {
  readonly decision: HeldDecision;
  /** The request whose result it became; null when it was dismissed. */
  readonly appliedTo: string | null;
  readonly at: Date;
}

/** Reads who settled a held output, when, and how; null while it waits. */
async function readSettlement({ db }: Store, heldId: string): Promise<Settlement | null> {
  const row = await db
    .selectFrom('held_output')
    .leftJoin('result', 'result.held_output_id', 'held_output.id')
    .select(['settled_at', 'settled_by', 'result.request_id', 'result.version'])
    .select(subjectNameOf('settled_by').as('settled_by_name'))
    .where('held_output.id', '=', heldId)
    .executeTakeFirst();
  if (!row?.settled_at || row.settled_by === null) return null;
  return {
    decision: {
      by: row.settled_by,
      by_name: JSON.parse(row.settled_by_name ?? 'null') as string | null,
      at: row.settled_at.toISOString(),
      version: row.version,
    },
    appliedTo: row.request_id,
    at: row.settled_at,
  };
}

interface RequestToCompare {
  readonly requestId: string;
  /** Reads the result that the request had just before; absent: the current one. */
  readonly before: Date | undefined;
}

async function readRequest({ db, vault }: Store, caller: Caller, { requestId, before }: RequestToCompare) {
  if (!isIssuedId('req', requestId)) return null;
  const row = await selectAsked(db, caller).where('request.id', '=', requestId).executeTakeFirst();
  if (!row) return null;
  if (row.erased_at) return 'erased';
  const request = await openRequestModel(vault, row);
  const { id, account_id: accountId } = row;
  const version = before ? await versionBefore(db, { requestId, before }) : row.version;
  const finding = await readStanding(db, vault, { id, accountId, version });
  return {
    request,
    payerId: row.payer_id,
    finding,
    standing: finding && { request, insurance_data: finding.insuranceData },
    receiver: {
      account_id: row.account_id,
      account_name: JSON.parse(row.account_name) as string,
      host: new URL(request.input.callback_url).host,
    },
  };
}

/** The version of the result that a request had just before an instant; 0 for none. */
async function versionBefore(
  db: Store['db'],
  { requestId, before }: { readonly requestId: string; readonly before: Date },
): Promise<number> {
  // A result that a decision made has the time of that decision, which is its transaction's.
  const { version } = await db
    .selectFrom('result')
    .select(({ fn }) => fn.coalesce(fn.max('version'), sql<number>`0`).as('version'))
    .where('request_id', '=', requestId)
    .where('applied_at', '<', before)
    .executeTakeFirstOrThrow();
  return version;
}

interface Failing {
  readonly reason: HeldReason;
  readonly mismatches: readonly Mismatch[];
  /** Whether there is a request to compare with, and whether it has a result. */
  readonly hasRequest: boolean;
  readonly hasResult: boolean;
}

/** The tests that a held output does not pass, first the one that held it. */
export function failedTests({ reason, mismatches, hasRequest, hasResult }: Failing): FailedTest[] {
  const own: readonly FailedTest[] = [
    ...(reason === 'untrusted' ? [fail('sender', 'no key of a verifier came with it')] : []),
    ...(reason === 'agent_result'
      ? [fail('sender', 'an agent found it, and the route of its payer has a person look first')]
      : []),
    ...(reason === 'unmatched' ? [fail('request', 'it names no request that the service has')] : []),
  ];
  const standing = hasRequest && hasResult ? [fail('first_result', 'the request has a result already')] : [];
  const tests = mismatches.map(({ test, coverage, sentence }) => ({ test, coverage, sentence }));
  return [...own, ...tests, ...standing];
}

const fail = (test: FailedTest['test'], sentence: string): FailedTest => ({ test, coverage: null, sentence });

/** Why an output is held, in one sentence, without the values. */
export function sentenceOf(
  reason: HeldReason,
  tests: readonly FailedTest[],
  values: readonly ComparedValue[],
): string {
  const faults = tests.filter(({ test }) => test !== 'first_result').map(({ sentence }) => sentence);
  const changed = values
    .filter(({ standing_difference: difference }) => difference !== 'none')
    .map(({ name }) => name.toLowerCase());
  const hasResult = tests.some(({ test }) => test === 'first_result');
  const result = hasResult ? [`the request has a result already, and ${differing(changed)}`] : [];
  const all = [...faults, ...result];
  return `Held as ${AS[reason]}: ${all.length === 0 ? 'nothing differs any more' : listed(all)}.`;
}

const AS: Readonly<Record<HeldReason, string>> = {
  untrusted: 'untrusted',
  unmatched: 'unmatched',
  input_mismatch: 'a mismatch',
  superseding: 'a second result',
  agent_result: 'an agent’s result',
};

/** With more names than these the sentence gives their count; the table of values has them all. */
const NAMES_MAX = 5;

function differing(names: readonly string[]): string {
  if (names.length === 0) return 'this one says the same';
  return `this one differs in ${names.length > NAMES_MAX ? `${names.length} values` : `the ${listed(names)}`}`;
}

function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}
