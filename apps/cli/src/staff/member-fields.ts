import type { StaffMember } from '@insurance-verification/schema';
import { fields } from '../terminal/table.ts';

/** A person, one field per line. */
export function memberFields(member: StaffMember): string[] {
  return fields([
    ['staff_id', member.staff_id],
    ['name', member.name],
    ['roles', member.roles.join(' ')],
    ['account_id', member.account_id],
    ['ended', member.ended_at],
  ]);
}
