import type { Passkey } from '@insurance-verification/schema';
import type { Selectable } from 'kysely';
import type { Tables } from '../../tables/tables.ts';

/** A passkey as `passkeys.list` answers it. */
export function toPasskey(
  row: Pick<Selectable<Tables['passkey']>, 'id' | 'name' | 'created_at' | 'used_at'>,
): Passkey {
  return {
    passkey_id: row.id,
    name: JSON.parse(row.name) as string,
    created_at: row.created_at.toISOString(),
    last_used_at: row.used_at?.toISOString() ?? null,
  };
}
