import type { Vault } from '../../encryption/vault.ts';
import type { LockedRequest } from '../../intake/lock-request.ts';
import { openRequestInfo } from '../../intake/request-row.ts';
import type { FoundRequest } from './apply-findings.ts';

/** Of a request's row what a result is made from, opened. */
export async function openFoundRequest(
  vault: Vault,
  row: Pick<LockedRequest, 'id' | 'account_id' | 'input' | 'received_at' | 'version'>,
): Promise<FoundRequest> {
  return {
    id: row.id,
    accountId: row.account_id,
    input: await openRequestInfo(vault, row),
    receivedTimestamp: row.received_at.toISOString(),
    version: row.version,
  };
}
