import type { Benefit } from '../../answer/eligibility-answer.ts';
import type { RelatedEntity } from '../../parts/parts.ts';
import { isSamePlain, plainText } from '../codes.ts';
import { statusOf } from '../eb-codes.ts';
import { isCompany, nameText, payerNameAmong, phoneAmong } from '../patient-of.ts';
import { rangesOf } from './row-texts.ts';

/** The payer, the provider and the patient's id that were asked about: repeated after a row, they are not noted. */
export interface Known {
  readonly payer: string;
  readonly payerId: string | null;
  readonly provider: string;
  readonly providerId: string | null;
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

/** EB01 whose company in 2120, where it is not the payer, is to be asked: this payer has no cover, or only describes it. */
const ASKED: ReadonlySet<string> = new Set(['6', '7', '8', 'D', 'E', 'I', 'V']);

/** EB01 of a spend-down. */
const SPEND_DOWN = 'Y';

/** The note of a row that names another party or states a condition of its own, with its places and ages; null for any other. */
export function noteOfParty(row: Benefit, known: Known): string | null {
  const note = partyText(row, known);
  if (note === null) return null;
  const ranges = rangesOf(row);
  return ranges.length === 0 ? note : `${ranges.join(', ')}: ${note}`;
}

function partyText(row: Benefit, known: Known): string | null {
  const { code, entities } = row;
  switch (code) {
    case 'U':
    case 'MC':
      return referral(row, known);
    case 'W':
      return row.serviceTypes.length + row.procedures.length === 0 ? null : referral(row, known);
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
    if (code === SPEND_DOWN && row.amount !== null) return null; // among the costs
    const amount = row.amount === null ? '' : ` ${row.amount}`;
    return `${noted}${amount}${datesText(row)}${behind(row)} (EB ${code})`;
  }
  const isAsked = ASKED.has(code);
  if ((!isAsked && statusOf(code) === undefined) || entities.length + row.references.length === 0)
    return null;
  const id = statusOf(code) === undefined ? null : otherMemberId(row, known);
  const others = entities.filter((entity) => isCompany(entity) && !isKnown(entity, known));
  if (isAsked && others.length > 0) {
    const asked = `ask ${others.map(companyText).join('; ')} (EB ${code})`;
    return id === null ? asked : `the member id is ${id} there, ${asked}`;
  }
  const ids = id === null ? [] : [`the member id is ${id} there`];
  if (statusOf(code) !== 'Active') return ids[0] ?? null;
  const reviewers = entities.filter(({ role, name }) => role === UTILIZATION_MANAGEMENT && name !== null);
  const parts = [
    ...(others.length > 0 ? [`with ${others.map(entityText).join('; ')}`] : []),
    ...(reviewers.length > 0 ? [`authorizations by ${reviewers.map(entityText).join('; ')}`] : []),
  ];
  if (parts.length === 0) return ids[0] ?? null;
  return `${[...parts, ...ids].join(', ')} (2120)`;
}

/** Whom to ask for the status, or who manages the care. */
function referral(row: Benefit, known: Known): string | null {
  const { code, entities, planName, dates } = row;
  const name = payerNameAmong(entities) ?? (code === 'MC' ? (firstName(entities) ?? planName) : null);
  if (name === null) return null;
  const days = code === 'MC' ? datesText({ dates }) : '';
  const id = code === 'MC' ? null : otherMemberId(row, known);
  const asked = `${code === 'MC' ? 'managed care by' : 'ask'} ${name}${phoneOf(entities)}${days} (EB ${code})`;
  return id === null ? asked : `the member id is ${id} there, ${asked}`;
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
export function otherMemberId({ entities, references }: Benefit, { memberId }: Known): string | null {
  const isOther = (id: string | null) =>
    id !== null && id !== '' && (memberId === null || !isSamePlain(id, memberId));
  const insured = entities.find(({ role, id }) => role === 'IL' && isOther(id));
  const reference = references.find(({ qualifier, id }) => qualifier === '1W' && isOther(id));
  return insured?.id ?? reference?.id ?? null;
}

/**
 * The payer by its id or under a longer or shorter name, unless both have ids; the provider who asks. Names are compared by
 * words: `PLAN 10` is not `PLAN 1`.
 */
export function isKnown(
  { name, id }: Pick<RelatedEntity, 'name' | 'id'>,
  { payer, payerId, provider, providerId }: Known,
): boolean {
  const text = name === null ? '' : nameText(name);
  const plain = plainText(text);
  if (plain === '' || (id !== null && (id === payerId || id === providerId))) return true;
  if (plain === plainText(payer) || plain === plainText(provider)) return true;
  if (payer === '' || (id !== null && payerId !== null)) return false;
  const [words, ours] = [wordsOf(text), wordsOf(payer)];
  const [short, long] = words.length < ours.length ? [words, ours] : [ours, words];
  return short.every((word, index) => word === long[index]);
}

function wordsOf(name: string): readonly string[] {
  return name.toUpperCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** `ADA STONE (1987654321), phone 8005551212`. */
function entityText(entity: RelatedEntity): string {
  const name = entity.name === null ? '' : nameText(entity.name);
  const id = entity.id === null ? '' : `${name === '' ? '' : ' '}(${entity.id})`;
  return `${name}${id}${phoneOf([entity])}`;
}

/** `MIND CARE, phone 8005551212`. */
function companyText(entity: RelatedEntity): string {
  return `${entity.name === null ? '' : nameText(entity.name)}${phoneOf([entity])}`;
}

function phoneOf(entities: readonly RelatedEntity[]): string {
  const phone = phoneAmong(entities.flatMap(({ contacts }) => contacts));
  return phone === null ? '' : `, phone ${phone}`;
}

/** The days after a row, without their kind. */
function datesText({ dates }: Pick<Benefit, 'dates'>): string {
  const texts = dates.map(({ start, end }) => (end === null ? start : `${start ?? ''} to ${end}`));
  return texts.length === 0 ? '' : `, ${texts.join(', ')}`;
}
