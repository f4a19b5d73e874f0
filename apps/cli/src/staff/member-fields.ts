import type { StaffMember, VerifyWithin } from '@insurance-verification/schema';
import { fields } from '../terminal/table.ts';

/** A person, one field per line. */
export function memberFields(member: StaffMember): string[] {
  return fields([
    ['staff_id', member.staff_id],
    ['name', member.name],
    ['roles', member.roles.join(' ')],
    ['account_id', member.account_id],
    ['allowed from', member.allowed_cidrs?.join(' ') ?? 'anywhere'],
    ['verifies', withinText(member.verify_within)],
    ['ended', member.ended_at],
  ]);
}

/** What a verifier is kept to, in words. */
function withinText(within: VerifyWithin | null): string {
  const lists = [within?.payer_ids, within?.channels, within?.account_ids].filter((kept) => kept != null);
  return lists.length === 0 ? 'everything' : lists.map((kept) => kept.join(' ')).join('; ');
}
