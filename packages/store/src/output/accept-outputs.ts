import type { Kysely } from 'kysely';
import { EVERYWHERE } from '../access/reach.ts';
import { recordAccesses } from '../access/record-access.ts';
import type { Courier } from '../delivery/leases/courier.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import type { Tables } from '../tables.ts';
import { decideDisposition } from './decide-disposition.ts';
import type { Application } from './finding/apply-findings.ts';
import { applyTogether, eachOrNull } from './finding/apply-together.ts';
import { attemptOf } from './finding/attempt-of.ts';
import { digestOf, findingOf } from './finding/finding.ts';
import { openFoundRequest } from './finding/open-found-request.ts';
import { type NamedRequestRow, readNamedRequests } from './read-named-requests.ts';
import { type AcceptedOutput, SUBMIT_OPERATION, type SubmittedOutput } from './submitted-output.ts';

/**
 * The common cases of {@link decideDisposition} for many outputs at once: a first result (rows 7 and 8), and the
 * current one sent again (row 5). The decision reads without a lock, since only the version can ever change, and is
 * applied only to that version: two statements, however many outputs.
 * @returns null for each output that is another case, or that another output preceded: `acceptOutput` decides it.
 * Nothing was done about it.
 */
export function acceptOutputs(
  store: Store,
  outputs: readonly SubmittedOutput[],
  courier?: Courier,
): Promise<(AcceptedOutput | null)[]> {
  // On one connection, so that a call that finds the pool exhausted waits only once.
  return store.db.connection().execute(async (db) => {
    const rows = await readNamed(db, outputs);
    const decided = await eachOrNull(outputs, (output, index) => decide(store, output, rows[index]));
    const applied = await applyTogether(
      db,
      store,
      decided.map((one) => one?.application ?? null),
      { courier },
    );
    await recordRepeats(
      db,
      outputs.filter((_, index) => decided[index]?.unchangedVersion !== undefined),
    );
    return decided.map((one, index): AcceptedOutput | null => {
      if (one?.unchangedVersion !== undefined) return { kind: 'unchanged', version: one.unchangedVersion };
      return applied[index] ? { kind: 'applied', version: 1 } : null;
    });
  });
}

/** Skips the request of an output that is certainly another case. */
function readNamed(db: Kysely<Tables>, outputs: readonly SubmittedOutput[]) {
  return readNamedRequests(
    db,
    outputs.map(({ output, caller, trusted, bearer }) => {
      const { request_id: requestId, state } = output.request;
      const isCommon = trusted && !bearer && state !== 'pending' && isIssuedId('req', requestId ?? '');
      return isCommon && requestId !== null ? { requestId, reach: caller ?? EVERYWHERE } : null;
    }),
  );
}

interface Decided {
  readonly application?: Application;
  readonly unchangedVersion?: number;
}

async function decide(
  { vault }: Store,
  { output, payerId, caller, trusted }: SubmittedOutput,
  row: NamedRequestRow | undefined,
): Promise<Decided | null> {
  const finding = findingOf(output);
  if (!row || !finding) return null;
  const request = await openFoundRequest(vault, row);
  const { kind } = decideDisposition({
    trusted,
    output,
    payerId,
    request: { ...request, payerId: row.payer_id },
    finished: row.standing_digest !== null,
    sameAsStanding: row.standing_digest !== null && digestOf(vault, finding).equals(row.standing_digest),
  });
  if (kind === 'unchanged') return { unchangedVersion: row.version };
  if (kind !== 'applied') return null;
  const attempt = attemptOf(finding);
  return { application: { request, finding, caller, operation: SUBMIT_OPERATION, attempt } };
}

/** Anonymous outputs are recorded only if they became a result, as in `acceptOutput`. */
async function recordRepeats(db: Kysely<Tables>, outputs: readonly SubmittedOutput[]): Promise<void> {
  await recordAccesses(
    db,
    outputs.flatMap(({ caller, output: { request } }) =>
      caller && request.request_id !== null
        ? [{ caller, operation: SUBMIT_OPERATION, requestIds: [request.request_id] }]
        : [],
    ),
  );
}
