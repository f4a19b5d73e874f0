import {
  openWebhookSecrets,
  readEarlierSecrets,
  type SealedWebhookSecrets,
} from '../../access/accounts/webhook-secrets.ts';
import { WrongMasterKeyError } from '../../encryption/check-master-keys.ts';
import { SealBrokenError } from '../../encryption/seal.ts';
import type { Opener } from '../../encryption/vault.ts';
import type { Store } from '../../open-store.ts';
import { messageBody } from '../message-body.ts';
import type { ClaimedDelivery, DeliveryMessage } from './claimed-delivery.ts';
import { FRUITLESS_CLAIM_COUNT_MAX } from './lease.ts';

/** A claimed delivery, as the database answers it. */
export interface ClaimedRow extends SealedWebhookSecrets {
  id: string;
  request_id: string;
  version: number;
  account_id: string;
  /** This and the texts below are base64. */
  destination: string;
  destination_host: string;
  input: string;
  received_at: Date;
  outcome: 'complete' | 'error_verifying';
  finding: string;
  has_benefits: boolean;
  lease_token: string;
  round_attempt_count: number;
  claim_count: number;
  accepted_at: Date;
}

/** Opens what one claim leased. A row that does not open has no message, and the others continue. */
export async function openClaimed(
  store: Store,
  rows: readonly ClaimedRow[],
): Promise<readonly ClaimedDelivery[]> {
  const secrets = await openSecrets(store, rows);
  const sealed = rows.map(sealedOf);
  const open = await store.vault.openerFor(
    sealed.flatMap(({ destination, input, finding }) => [destination, input, finding]),
  );
  return sealed.map((one) =>
    claimedOf(one.row, openMessage(open, one, secrets.get(one.row.account_id) ?? null)),
  );
}

function claimedOf(row: ClaimedRow, message: DeliveryMessage | null): ClaimedDelivery {
  return {
    deliveryId: row.id,
    leaseToken: row.lease_token,
    requestId: row.request_id,
    version: row.version,
    hasBenefits: row.has_benefits,
    accountId: row.account_id,
    hostKey: row.destination_host,
    roundAttemptNumber: row.round_attempt_count + 1,
    acceptedAt: row.accepted_at,
    claimsExhausted: row.claim_count > FRUITLESS_CLAIM_COUNT_MAX,
    message,
  };
}

/** Decrypts an account's secrets once for all rows of a claim: most rows belong to a few accounts. */
async function openSecrets({ db, vault }: Store, rows: readonly ClaimedRow[]) {
  const rotating = new Set(
    rows.filter((row) => row.previous_webhook_secret_valid).map((row) => row.account_id),
  );
  const earlier = await readEarlierSecrets(db, rotating);
  const opened = new Map<string, readonly string[] | null>();
  for (const row of rows) {
    const { account_id: accountId } = row;
    if (opened.has(accountId)) continue;
    const opening = openWebhookSecrets(vault, accountId, row, earlier.get(accountId));
    opened.set(accountId, await opening.catch(nullIfUnreadable));
  }
  return opened;
}

const sealedOf = (row: ClaimedRow) => ({
  row,
  destination: Buffer.from(row.destination, 'base64'),
  input: Buffer.from(row.input, 'base64'),
  finding: Buffer.from(row.finding, 'base64'),
});

type Sealed = ReturnType<typeof sealedOf>;

function openMessage(
  open: Opener,
  sealed: Sealed,
  secrets: readonly string[] | null,
): DeliveryMessage | null {
  if (!secrets) return null;
  try {
    const { account_id: accountId, id } = sealed.row;
    const callbackUrl = open(accountId, `delivery.destination:${id}`, sealed.destination).toString('utf8');
    return { callbackUrl, body: openBody(open, sealed), secrets };
  } catch (err) {
    return nullIfUnreadable(err);
  }
}

/** By the delivery's account, whose secrets sign it: one that SQL pointed to another's result has no body. */
function openBody(open: Opener, { row, input, finding }: Sealed): Buffer {
  return messageBody({
    requestId: row.request_id,
    receivedTimestamp: row.received_at.toISOString(),
    outcome: row.outcome,
    inputText: open(row.account_id, `request.input:${row.request_id}`, input),
    findingText: open(row.account_id, `result.body:${row.request_id}.${row.version}`, finding),
  });
}

/** For a poison row, or one under a master key that so far only other processes have. */
function nullIfUnreadable(err: unknown): null {
  if (err instanceof SealBrokenError || err instanceof WrongMasterKeyError) return null;
  throw err;
}
