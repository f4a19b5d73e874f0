import type { Benefit } from '../../answer/eligibility-answer.ts';
import type { Period } from '../../parts/parse-x12-date.ts';
import type { RelatedEntity } from '../../parts/parts.ts';
import { EXCLUDED, NON_COVERED, statusOf, WHOLE_PLAN } from '../coverages/benefit-codes.ts';
import { excludes, rowPeriod } from '../coverages/coverage-period.ts';
import type { Coverage } from '../coverages/coverages-of.ts';
import { nameText } from '../member/patient-of.ts';
import { isCompany, payerNameAmong } from '../member/payer-among.ts';
import { plainText } from '../plain-text.ts';
import { serviceTypeNames } from '../service-types.ts';
import { percentText } from './money-notes.ts';

/** What is told of a coverage beside its status: what limits it, and who else has a part in it. */
export interface ServiceNotes {
  /** Against the status or a code, or narrowing it. */
  readonly limits: readonly string[];
  /** Providers and companies. */
  readonly parties: readonly string[];
}

const NOTHING: ServiceNotes = { limits: [], parties: [] };

/** A sentence about services; sentences alike are told once, with all of their services. */
interface Said {
  readonly text: string;
  readonly row: Benefit;
  readonly isParty: boolean;
}

/** Who answers and who asks: their names behind a row are no news. */
export interface KnownNames {
  readonly payer: string;
  readonly provider: string;
}

/**
 * The rows that make a plain status or code too plain. The first row that fits tells its sentence:
 *
 * | EB01             | case                                         | told                                     |
 * |------------------|----------------------------------------------|------------------------------------------|
 * | 1–8, U, V, W     | a service's status is not the coverage's     | its status                               |
 * | I                | an active coverage, but only out of network  | not covered                              |
 * | E                | any                                          | excluded                                 |
 * | 1–5              | a company in 2120 that is not the payer (RFI 1440) | who has the service                |
 * | 1–5              | EB11 Y; EB12 N; EB09 S7, S8; III             | authorization; network; ages; place      |
 * | D                | with a percent                               | the percent                              |
 * | U, MC            | a company                                    | whom to ask, who manages the care        |
 * | L, N, X          | with or without a name                       | primary care, restriction, facility      |
 * | CB, M, O, Q, T, Y | any                                         | what it is                               |
 *
 * Of a service of which rows say both (by network, by kind of visit) their messages tell more.
 */
export function serviceNotes(
  coverage: Coverage,
  own: readonly Benefit[],
  serviceDate: string,
  known: KnownNames,
): ServiceNotes {
  const said: Said[] = [];
  for (const row of own) {
    if (isPlainAmount(row)) continue;
    const against = toldAgainst(coverage, row, serviceDate);
    if (against !== null) said.push({ text: against, row, isParty: false });
    for (const text of narrowing(row)) said.push({ text, row, isParty: false });
    const party = toldOfParty(row, known);
    if (party !== null) said.push({ text: party, row, isParty: true });
  }
  if (said.length === 0) return NOTHING;
  const agreed = agreedTypes(coverage, own);
  const sentences = (isParty: boolean) =>
    sentencesOf(
      said.filter((one) => one.isParty === isParty),
      coverage,
      agreed,
    );
  return { limits: sentences(false), parties: sentences(true) };
}

/** Nearly all rows of a long answer: an amount of which nothing else is said. */
function isPlainAmount({ code, entities }: Benefit): boolean {
  return AMOUNTS.has(code) && entities.length === 0;
}

const AMOUNTS: ReadonlySet<string> = new Set(['A', 'B', 'C', 'F', 'G']);

function sentencesOf(said: readonly Said[], coverage: Coverage, agreed: ReadonlySet<string>): string[] {
  const subjects = new Map<string, { types: Set<string>; codes: Set<string>; isOfPlan: boolean }>();
  for (const { text, row } of said) {
    const isOther = row.planName !== null && plainText(row.planName) !== plainText(coverage.planName ?? '');
    const note = isOther ? `${text} for ${row.planName}` : text;
    const subject = subjects.get(note) ?? { types: new Set(), codes: new Set(), isOfPlan: false };
    subjects.set(note, subject);
    const isStatus = STATUS_SENTENCE.test(text);
    for (const type of row.serviceTypes)
      if (!isStatus || isOther || !agreed.has(type)) subject.types.add(type);
    for (const { code } of row.procedures) subject.codes.add(code);
    if (row.serviceTypes.length + row.procedures.length === 0 || row.serviceTypes.includes(WHOLE_PLAN))
      subject.isOfPlan = true;
  }
  return [...subjects].flatMap(([note, { types, codes, isOfPlan }]) => {
    if (isOfPlan) return [`The payer also says: ${note}.`];
    if (types.size + codes.size === 0) return [];
    const of = [...(types.size > 0 ? [serviceTypeNames(types)] : []), ...[...codes].slice(0, 20)].join(', ');
    return [`${of}: ${note}.`];
  });
}

/** Sentences of a status, which a row in another network may say otherwise. */
const STATUS_SENTENCE = /^(not covered|Active|Inactive|no status)/;

/** Service types whose rows agree with the coverage. */
function agreedTypes(coverage: Coverage, own: readonly Benefit[]): ReadonlySet<string> {
  const types = new Set<string>();
  for (const { code, procedures, serviceTypes, inNetwork } of own)
    if (procedures.length === 0 && inNetwork !== 'N' && statusOf(code) === coverage.saidStatus)
      for (const type of serviceTypes) types.add(type);
  return types;
}

/** What a row says about its services against its coverage; null for nothing. */
function toldAgainst({ saidStatus }: Coverage, row: Benefit, serviceDate: string): string | null {
  const { code, procedures, serviceTypes, planName, inNetwork } = row;
  const status = statusOf(code);
  const period = status === 'Active' ? rowPeriod(row.dates, serviceDate) : null;
  const isPast = period !== null && excludes(period, serviceDate);
  if (procedures.length > 0) return isPast ? daysText(period) : code === EXCLUDED ? 'excluded (EB E)' : null;
  if (serviceTypes.length === 0 && planName === null)
    return code === EXCLUDED ? 'exclusions apply (EB E)' : null;
  const only = inNetwork === 'N' ? ' out of network' : '';
  if (code === EXCLUDED) return `excluded${only} (EB E)`;
  if (code === NON_COVERED) return saidStatus === 'Active' && inNetwork !== 'N' ? 'not covered (EB I)' : null;
  if (status === undefined) return null;
  if (isPast && saidStatus === 'Active' && !serviceTypes.includes(WHOLE_PLAN)) return daysText(period);
  if (status === saidStatus || isPast) return null;
  return status === null ? `no status (EB ${code})` : `${status}${only} (EB ${code})`;
}

function daysText({ start, end }: Period): string {
  return end === null ? `not before ${start}` : `ended on ${end}`;
}

/** What narrows an active service or code. */
function narrowing(row: Benefit): string[] {
  const {
    code,
    authorisation,
    inNetwork,
    quantity,
    quantityQualifier,
    information,
    serviceTypes,
    procedures,
  } = row;
  if (code === 'D' && row.percent !== null && procedures.length + serviceTypes.length > 0) {
    const percent = percentText(row.percent);
    return percent === null ? [] : [`${percent} (EB D)`];
  }
  if (statusOf(code) !== 'Active') return [];
  const isOfPlan = serviceTypes.includes(WHOLE_PLAN) || serviceTypes.length + procedures.length === 0;
  const places = information.filter(({ qualifier, code: place }) => qualifier === 'ZZ' && place !== null);
  return [
    ...(authorisation === 'Y' ? ['needs an authorization (EB11)'] : []),
    ...(inNetwork === 'N' && !isOfPlan ? ['covered out of network (EB12 N)'] : []),
    ...(quantityQualifier === 'S7' && quantity !== null ? [`up to the age of ${quantity} (EB09 S7)`] : []),
    ...(quantityQualifier === 'S8' && quantity !== null ? [`from the age of ${quantity} (EB09 S8)`] : []),
    ...(places.length > 0 ? [`at place of service ${places.map((one) => one.code).join(', ')} (III)`] : []),
  ];
}

/** EB01 that says the same whoever is named, with its words. */
const TOLD_CODES: Readonly<Record<string, string>> = {
  CB: 'the basis of the coverage is told',
  M: 'a condition from before counts',
  O: 'not medically necessary',
  Q: 'a second surgical opinion is needed',
  T: 'the card was reported lost or stolen',
  Y: 'spend down applies',
};

function toldOfParty(row: Benefit, known: KnownNames): string | null {
  const { code, entities, procedures } = row;
  const about = entities
    .map(entityText)
    .filter((text) => text !== '')
    .join('; ');
  const behind = about === '' ? '' : `: ${about}`;
  switch (code) {
    case 'U':
    case 'MC': {
      const name = payerNameAmong(entities);
      if (procedures.length > 0 || name === null) return null;
      return code === 'U'
        ? `ask ${name}${phoneOf(entities)} (EB U)`
        : `managed care by ${name}${phoneOf(entities)} (EB MC)`;
    }
    case 'L':
      return `primary care provider${behind} (EB L)`;
    case 'N':
      return `only from this provider${behind} (EB N)`;
    case 'X':
      return about === '' && row.serviceTypes.length === 0
        ? null
        : `facility${behind}${datesText(row)} (EB X)`;
    default:
  }
  const told = TOLD_CODES[code];
  if (told !== undefined) {
    const amount = row.amount === null ? '' : ` ${row.amount}`;
    return `${told}${amount}${datesText(row)}${behind} (EB ${code})`;
  }
  if (statusOf(code) !== 'Active') return null;
  const others = entities.filter((entity) => isCompany(entity) && !isKnown(entity, known));
  if (others.length === 0) return null;
  return `with ${others.map(entityText).join('; ')} (2120)`;
}

function isKnown({ name }: RelatedEntity, { payer, provider }: KnownNames): boolean {
  const plain = name === null ? '' : plainText(nameText(name));
  return plain === '' || plain === plainText(payer) || plain === plainText(provider);
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

/** Whatever days stand behind a row, without what they are. */
function datesText({ dates }: Benefit): string {
  const texts = dates.map(({ start, end }) => (end === null ? start : `${start ?? ''} to ${end}`));
  return texts.length === 0 ? '' : `, ${texts.join(', ')}`;
}
