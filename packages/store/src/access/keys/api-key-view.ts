import type { ApiKey } from '@insurance-verification/schema';
import type { Selectable } from 'kysely';
import type { Tables } from '../../tables/tables.ts';
import type { Caller } from '../caller.ts';

/** A key as operators see it: everything but its text, of which only a hash is stored. */
export function toApiKey(
  row: Selectable<Tables['api_key']> & {
    /** A JSON string. */
    readonly account_name: string;
    readonly creator_left?: boolean;
  },
  { keyId, mode }: Pick<Caller, 'keyId' | 'mode'>,
): ApiKey {
  // Nothing live is shown to a test account's caller.
  const showsCreator = mode === 'live' || row.created_by === keyId;
  return {
    key_id: row.id,
    account_id: row.account_id,
    account_name: JSON.parse(row.account_name) as string,
    name: row.name === null ? null : (JSON.parse(row.name) as string),
    prefix: row.prefix,
    scopes: row.scopes,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    allowed_cidrs: row.allowed_cidrs,
    verify_within: row.verify_within,
    created_by: showsCreator ? row.created_by : null,
    creator_left: showsCreator && row.creator_left === true,
  };
}
