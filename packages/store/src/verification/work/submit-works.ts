import type { Courier } from '../../delivery/leases/courier.ts';
import { isIssuedId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import type { Application, OpenedRequest } from '../../output/finding/apply-findings.ts';
import { applyTogether, eachOrNull } from '../../output/finding/apply-together.ts';
import { openFoundRequest } from '../../output/finding/open-found-request.ts';
import { type NamedRequestRow, readNamedRequests } from '../../output/read-named-requests.ts';
import { findMisfits } from './find-misfits.ts';
import type { ClaimedWork } from './open-claimed.ts';
import { type SubmittedWork, workFinding, type WorkSubmission } from './submit-work.ts';

/**
 * Makes several verifiers' findings the results of their requests at once: one statement, plus one that reads the
 * requests that were not just claimed in this process. The statement itself checks the leases.
 * @returns null for each that was not applied: `submitWork` decides it. Nothing was done about it, but its exchange may
 * be stored.
 */
export function submitWorks(
  store: Store,
  submissions: readonly WorkSubmission[],
  courier?: Courier,
): Promise<(SubmittedWork | null)[]> {
  return store.db.connection().execute(async (db) => {
    const rows = await readNamedRequests(
      db,
      submissions.map(({ caller: reach, requestId, claimed }) =>
        claimed === undefined && isIssuedId('req', requestId) ? { requestId, reach } : null,
      ),
    );
    const applied = await applyTogether(
      db,
      store,
      await eachOrNull(submissions, (submission, index) => decide(store, submission, rows[index])),
      { exchanges: submissions.flatMap(({ exchange }) => exchange ?? []), courier },
    );
    return applied.map((isApplied) => (isApplied ? { kind: 'applied', version: 1 } : null));
  });
}

async function decide(
  store: Store,
  submission: WorkSubmission,
  row: NamedRequestRow | undefined,
): Promise<Application | null> {
  const { claimed, insuranceData, isPatientConfirmed = false, leaseToken } = submission;
  const leased = claimed
    ? leasedOf(claimed)
    : row && { row, request: await openFoundRequest(store.vault, row) };
  if (!leased || leased.row.lease_token !== leaseToken) return null;
  const { channel } = leased.row;
  const entries = { insuranceData, isPatientConfirmed };
  if (findMisfits(entries, { ...leased.request, channel }).length > 0) return null;
  return { ...(await workFinding(store, submission, leased.row)), request: leased.request };
}

/** A leased request has no result yet. */
function leasedOf(claimed: ClaimedWork) {
  const { requestId: id, accountId, request, channel, leaseToken, attemptNumber } = claimed;
  const found: OpenedRequest = {
    id,
    accountId,
    input: request.input,
    receivedTimestamp: request.received_timestamp,
    version: 0,
  };
  const row = {
    id,
    account_id: accountId,
    channel,
    lease_token: leaseToken,
    verification_attempt_count: attemptNumber,
  };
  return { row, request: found };
}
