import type { Benefit } from '../../answer/eligibility-answer.ts';
import type { RelatedEntity } from '../../parts/parts.ts';
import { isSamePlain, plainText } from '../codes.ts';
import { statusOf } from '../coverages/deciding-rows.ts';
import { nameText, isCompany, payerNameAmong } from '../patient-of.ts';

/** The payer, the provider and the patient's id that were asked about: repeated after a row, they are not noted. */
export interface Known {
  readonly payer: string;
  readonly payerId: string | null;
  readonly provider: string;
  readonly memberId: string | null;
}

/** NM101 of who grants authorizations. */
const UTILIZATION_MANAGEMENT = 'X3';

/** EB01 that says the same for any party, with its words. */
const NOTED_CODES: ReadonlyMap<string, string> = new Map<string, string>(
  Object.entries({
    CB: 'the basis of the coverage is told',
    M: 'a condition from before counts',
    O: 'not medically necessary',
    Q: 'a second surgical opinion is needed',
    T: 'the card was reported lost or stolen',
    Y: 'spend down applies',
  } as const),
);

/** The note of a row that names another party or states a condition of its own; null for any other row. */
export function noteOfParty(row: Benefit, known: Known): string | null {
  const { code, entities } = row;
  switch (code) {
    case 'U':
    case 'MC':
      return referral(row);
    case 'W':
      return row.serviceTypes.length + row.procedures.length === 0 ? null : referral(row);
    case 'L':
      return `primary care provider${behind(row)}${datesText(row)} (EB L)`;
    case 'N':
      return `only from this provider${behind(row)}${datesText(row)} (EB N)`;
    case 'X':
      return entities.length + row.serviceTypes.length === 0
        ? null
        : `facility${behind(row)}${datesText(row)} (EB X)`;
    default:
  }
  const noted = NOTED_CODES.get(code);
  if (noted !== undefined) {
    const amount = row.amount === null ? '' : ` ${row.amount}`;
    return `${noted}${amount}${datesText(row)}${behind(row)} (EB ${code})`;
  }
  if (statusOf(code) === undefined || entities.length + row.references.length === 0) return null;
  const id = otherMemberId(row, known);
  if (id !== null) return `the member id is ${id} there`;
  if (statusOf(code) !== 'Active') return null;
  const others = entities.filter((entity) => isCompany(entity) && !isKnown(entity, known));
  const reviewers = entities.filter(({ role, name }) => role === UTILIZATION_MANAGEMENT && name !== null);
  const parts = [
    ...(others.length > 0 ? [`with ${others.map(entityText).join('; ')}`] : []),
    ...(reviewers.length > 0 ? [`authorizations by ${reviewers.map(entityText).join('; ')}`] : []),
  ];
  return parts.length === 0 ? null : `${parts.join(', ')} (2120)`;
}

/** Whom to ask for the status, or who manages the care. */
function referral({ code, entities, planName, dates }: Benefit): string | null {
  const name = payerNameAmong(entities) ?? (code === 'MC' ? (firstName(entities) ?? planName) : null);
  if (name === null) return null;
  const days = code === 'MC' ? datesText({ dates }) : '';
  return `${code === 'MC' ? 'managed care by' : 'ask'} ${name}${phoneOf(entities)}${days} (EB ${code})`;
}

function firstName(entities: readonly RelatedEntity[]): string | null {
  const name = entities.find((entity) => entity.name !== null)?.name;
  return name ? nameText(name) : null;
}

function behind({ entities }: Benefit): string {
  const about = entities
    .map(entityText)
    .filter((text) => text !== '')
    .join('; ');
  return about === '' ? '' : `: ${about}`;
}

/** Another id of the patient, after a row with a status (RFI 1914 has it for EB R). */
function otherMemberId({ entities, references }: Benefit, { memberId }: Known): string | null {
  const isOther = (id: string | null) =>
    id !== null && id !== '' && (memberId === null || !isSamePlain(id, memberId));
  const insured = entities.find(({ role, id }) => role === 'IL' && isOther(id));
  const reference = references.find(({ qualifier, id }) => qualifier === '1W' && isOther(id));
  return insured?.id ?? reference?.id ?? null;
}

/** The payer under a longer or shorter name, or by its id; the provider who asks. */
function isKnown({ name, id }: RelatedEntity, { payer, payerId, provider }: Known): boolean {
  const plain = name === null ? '' : plainText(nameText(name));
  const [payerText, providerText] = [plainText(payer), plainText(provider)];
  const isPayer = payerText !== '' && (plain.startsWith(payerText) || payerText.startsWith(plain));
  return plain === '' || isPayer || plain === providerText || (id !== null && id === payerId);
}

/** `ADA STONE (1987654321), phone 8005551212`. */
function entityText(entity: RelatedEntity): string {
  const name = entity.name === null ? '' : nameText(entity.name);
  const id = entity.id === null ? '' : `${name === '' ? '' : ' '}(${entity.id})`;
  return `${name}${id}${phoneOf([entity])}`;
}

function phoneOf(entities: readonly RelatedEntity[]): string {
  const phone = entities.flatMap(({ contacts }) => contacts).find(({ qualifier }) => qualifier === 'TE');
  return phone === undefined ? '' : `, phone ${phone.value}`;
}

/** The days after a row, without their kind. */
function datesText({ dates }: Pick<Benefit, 'dates'>): string {
  const texts = dates.map(({ start, end }) => (end === null ? start : `${start ?? ''} to ${end}`));
  return texts.length === 0 ? '' : `, ${texts.join(', ')}`;
}
