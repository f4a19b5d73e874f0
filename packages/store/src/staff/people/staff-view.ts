import type { StaffMember } from '@insurance-verification/schema';
import type { Selectable } from 'kysely';
import type { Tables } from '../../tables/tables.ts';

/** A person as an admin sees it. */
export function toStaffMember(
  row: Selectable<Tables['staff']> & {
    /** A JSON string; null for the platform's people. */
    readonly account_name: string | null;
  },
): StaffMember {
  return {
    staff_id: row.id,
    name: JSON.parse(row.name) as string,
    account_id: row.account_id,
    account_name: row.account_name === null ? null : (JSON.parse(row.account_name) as string),
    roles: row.roles,
    allowed_cidrs: row.allowed_cidrs,
    verify_within: row.verify_within,
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}
