import { type Party } from '../../parts/parts.ts';
import { nameText } from './patient-of.ts';

/** NM101 of loop 2120, likeliest payer first: payers, their administrators, then sponsors and intermediaries. */
const PAYER_ROLES = ['PR', 'PRP', 'SEP', 'TTP', 'P4', 'OC', 'Y2', 'IN', 'VN', '1I', '2B', 'GP', 'GW', 'P5'];

/** NM101 of loop 2120 that is never a payer: the insured, their family, providers, employers. */
const OTHER_ROLES: ReadonlySet<string> = new Set('03 13 1P 36 73 FA I3 IL LR P3 QC X3'.split(' '));

/** NM101 of who pays for the plan, mostly an employer. */
const SPONSOR = 'P5';

/** Whether a party of loop 2120 is a company that is no provider, nor the insured's employer. */
export function isCompany({ isPerson, name, role }: Party): boolean {
  return !isPerson && name !== null && role !== SPONSOR && !OTHER_ROLES.has(role);
}

/** The payer among the parties of a loop 2120; none when only the insured or a provider is named. */
function payerAmong<T extends Party>(entities: readonly T[]): T | undefined {
  if (entities.length === 0) return undefined;
  for (const role of PAYER_ROLES) {
    const payer = entities.find((one) => one.role === role && one.name !== null);
    if (payer) return payer;
  }
  return entities.find(({ role }) => !OTHER_ROLES.has(role));
}

/** NM101 that give payers their order. */
const IN_ORDER: ReadonlySet<string> = new Set(['PRP', 'SEP', 'TTP']);

/** The payers among the parties: all with a payer order, otherwise the first payer; undefined if none. */
export function payersAmong<T extends Party>(entities: readonly T[]): readonly (T | undefined)[] {
  const ordered = entities.filter(({ role, name }) => IN_ORDER.has(role) && name !== null);
  return ordered.length > 1 ? ordered : [payerAmong(entities)];
}

/** Its name; null without one. */
export function payerNameAmong(entities: readonly Party[]): string | null {
  const name = payerAmong(entities)?.name;
  return name ? nameText(name) : null;
}
