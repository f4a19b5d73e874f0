import type { RequestModel, ResponseModel, ComparedValue, FailedTest } from '@insurance-verification/schema';
import type { Caller } from '../../access/caller.ts';
import { recordAccess } from '../../access/record-access.ts';
import { openRequestModel } from '../../intake/request-row.ts';
import { isIssuedId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import { mismatchesOf } from '../decide-disposition.ts';
import { type ReadHeldOutput, readHeldOutput } from '../held/get-held-output.ts';
import { compareValues } from './compare-values.ts';
import { failedTests, sentenceOf } from './failed-tests.ts';
import { readStanding } from './held-differences.ts';
import { selectAsked } from './select-asked.ts';

export interface HeldComparing {
  readonly caller: Caller;
  readonly heldId: string;
  /** The request to compare it with; by default the one that the output names. */
  readonly requestId: string | undefined;
  /** The stable id of a payer's name. */
  readonly payerIdOf: (name: string) => string;
}

/** A held output beside a request, in the API's form. */
interface HeldComparisonView {
  readonly held: ReadHeldOutput['held'];
  readonly request: RequestModel | null;
  readonly standing: ResponseModel | null;
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

/** A held output beside what was asked and what stands, with the tests of the rules that it does not pass. */
export async function compareHeldOutput(
  store: Store,
  { caller, heldId, requestId, payerIdOf }: HeldComparing,
): Promise<ComparedHeldOutput> {
  const found = await readHeldOutput(store, { caller, heldId });
  if (!found) return { kind: 'not_found' };
  const { held, benefits } = found;
  const comparedId = requestId ?? held.request_id;
  const read = comparedId === null ? null : await readRequest(store, caller, comparedId);
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
      sentence: sentenceOf(held.reason, tests, values),
      failed_tests: tests,
      values,
      receiver: beside?.receiver ?? null,
    },
  };
}

async function readRequest({ db, vault }: Store, caller: Caller, requestId: string) {
  if (!isIssuedId('req', requestId)) return null;
  const row = await selectAsked(db, caller).where('request.id', '=', requestId).executeTakeFirst();
  if (!row) return null;
  if (row.erased_at) return 'erased';
  const request = await openRequestModel(vault, row);
  const { id, account_id: accountId, version } = row;
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
