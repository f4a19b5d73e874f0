import type { Vault } from '../../encryption/vault.ts';
import type { LockedRequest } from '../../intake/lock-request.ts';
import { openRequestInfo } from '../../intake/request-row.ts';
import type { OpenedRequest } from './apply-findings.ts';

/** Decrypts the parts of a request's row that a result is made from. */
export async function openFoundRequest(
  vault: Vault,
  row: Pick<LockedRequest, 'id' | 'account_id' | 'input' | 'received_at' | 'version'>,
): Promise<OpenedRequest> {
  return {
    id: row.id,
    accountId: row.account_id,
    input: await openRequestInfo(vault, row),
    receivedTimestamp: row.received_at.toISOString(),
    version: row.version,
  };
}
