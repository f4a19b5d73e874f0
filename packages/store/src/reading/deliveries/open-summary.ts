import {
  type AttemptOutcome,
  type DeliveryStatus,
  type DeliverySummary,
  initialsOf,
} from '@insurance-verification/schema';
import { sql } from 'kysely';
import { accountNameOf } from '../../access/accounts/account-name.ts';
import { hostAndPort } from '../../delivery/message.ts';
import { WrongMasterKeyError } from '../../encryption/master-keys.ts';
import { openOrNull, SealBrokenError } from '../../encryption/seal.ts';
import type { Vault } from '../../encryption/vault.ts';
import { openRequestInfo } from '../../intake/read-request.ts';

/** A delivery with its last attempt. */
export interface SummaryRow {
  readonly id: string;
  readonly request_id: string;
  readonly account_id: string;
  /** A JSON string. */
  readonly account_name: string;
  readonly payer_name: string;
  /** A sealed `RequestInfo`; empty once it is erased. */
  readonly input: Buffer;
  readonly version: number;
  readonly status: DeliveryStatus;
  readonly reason: string | null;
  readonly destination: Buffer;
  readonly accepted_at: Date;
  readonly done_at: Date | null;
  /** When the next attempt is due; null for one that is done. */
  readonly run_at: Date | null;
  /** Since when its receiver is paused; null while it is not, and when nothing waits. */
  readonly paused_since: Date | null;
  readonly attempt_count: number;
  readonly last_at: Date | null;
  readonly last_outcome: AttemptOutcome | null;
  readonly last_status_code: number | null;
}

/** Whose a `delivery` is, of which payer and of whom: probes of primary keys for each row that is shown. */
export const NAMES = sql`${accountNameOf('delivery.account_id')} as account_name,
  (select request.payer_name from request where request.id = delivery.request_id) as payer_name,
  (select request.input from request where request.id = delivery.request_id) as input`;

/** Converts a row to its API form. Of the callback address only host and port are shown: its path may name a patient. */
export async function openSummary(vault: Vault, row: SummaryRow): Promise<DeliverySummary> {
  return {
    delivery_id: row.id,
    request_id: row.request_id,
    account_id: row.account_id,
    account_name: JSON.parse(row.account_name) as string,
    payer: row.payer_name,
    patient_initials: await openInitials(vault, row),
    version: row.version,
    status: row.status,
    reason: row.reason,
    host: await openHost(vault, row),
    accepted_at: row.accepted_at.toISOString(),
    done_at: row.done_at?.toISOString() ?? null,
    next_attempt_at: row.run_at?.toISOString() ?? null,
    paused_since: row.paused_since?.toISOString() ?? null,
    attempt_count: row.attempt_count,
    last_attempt_at: row.last_at?.toISOString() ?? null,
    last_outcome: row.last_outcome,
    last_status_code: row.last_status_code,
  };
}

async function openInitials(vault: Vault, row: SummaryRow): Promise<string | null> {
  if (row.input.length === 0) return null;
  const asked = { id: row.request_id, account_id: row.account_id, input: row.input };
  const input = await openOrNull(openRequestInfo(vault, asked));
  return initialsOf(input?.patient_info.name);
}

/** The host and port of a delivery's address; null where that does not open. */
export async function openHost(
  vault: Vault,
  { id, account_id: accountId, destination }: Pick<SummaryRow, 'id' | 'account_id' | 'destination'>,
): Promise<string | null> {
  try {
    const callbackUrl = await vault.open({ accountId }, `delivery.destination:${id}`, destination);
    return hostAndPort(callbackUrl.toString('utf8'));
  } catch (err) {
    if (err instanceof SealBrokenError || err instanceof WrongMasterKeyError) return null;
    throw err;
  }
}
