import type { RequestModel, VerificationAttempt, VerificationSource } from '@insurance-verification/schema';
import { WrongMasterKeyError } from '../../encryption/check-master-keys.ts';
import { SealBrokenError } from '../../encryption/seal.ts';
import { readAttempts } from '../../evidence/read-attempts.ts';
import { openRequestModel, openServiceDate } from '../../intake/request-row.ts';
import type { Store } from '../../open-store.ts';
import type { LeasedRow } from './choosing/lease-chosen.ts';

/** A request that only this claimer may work on until the lease ends. */
export interface ClaimedWork {
  readonly requestId: string;
  readonly payerId: string;
  readonly accountId: string;
  readonly channel: VerificationSource;
  readonly leaseToken: string;
  readonly leaseUntil: Date;
  /** From 1, across all channels. */
  readonly attemptNumber: number;
  readonly request: RequestModel;
  /** The day to ask about, `YYYY-MM-DD`; null for the day of asking. */
  readonly serviceDate: string | null;
  /** When its account needs the first result; null when it did not say. */
  readonly neededBy: Date | null;
  /** The attempts before this one, first to last. */
  readonly history: readonly VerificationAttempt[];
}

/** Decrypts leased requests, with their earlier attempts. */
export async function openClaimed(store: Store, rows: readonly LeasedRow[]): Promise<ClaimedWork[]> {
  const tried = rows.filter((row) => row.attempt_number > 1).map((row) => row.id);
  const history = await readAttempts(store, tried);
  const opened = await Promise.all(rows.map((row) => openOrNull(store, row, history.get(row.id) ?? [])));
  return opened.filter((work) => work !== null);
}

/**
 * Null for a row whose sealed values do not open: it stays leased, its leases lapse and count, and the other rows
 * continue.
 */
async function openOrNull(
  { vault }: Store,
  row: LeasedRow,
  attempts: readonly VerificationAttempt[],
): Promise<ClaimedWork | null> {
  try {
    return {
      requestId: row.id,
      payerId: row.payer_id,
      accountId: row.account_id,
      channel: row.lease_channel,
      leaseToken: row.lease_token,
      leaseUntil: row.lease_until,
      attemptNumber: row.attempt_number,
      request: await openRequestModel(vault, row),
      serviceDate: await openServiceDate(vault, row),
      neededBy: row.needed_by,
      history: attempts.filter(({ number }) => number < row.attempt_number),
    };
  } catch (err) {
    if (err instanceof SealBrokenError || err instanceof WrongMasterKeyError) return null;
    throw err;
  }
}
