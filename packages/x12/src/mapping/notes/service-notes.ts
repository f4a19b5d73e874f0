import {
  type BenefitReading,
  isOfWholePlan,
  type ReadRow,
  type RowTime,
} from '@insurance-verification/schema';
import type { Benefit } from '../../answer/eligibility-answer.ts';
import { NONE } from '../../parts/parts.ts';
import type { Period } from '../../parts/read-parts.ts';
import { insuranceTypeName, isLimitingType } from '../codes.ts';
import type { Coverage } from '../coverages/coverages-of.ts';
import type { CodeAnswers } from '../coverages/covered-codes.ts';
import { CAPITATED, EXCLUDED, INACTIVE_PENDING, NON_COVERED, PENDING, statusOf } from '../eb-codes.ts';
import { percentOf } from '../read-benefit-row.ts';
import { type Known, noteOfParty } from './note-of-party.ts';
import { peopleName, rangesOf, rangesText } from './row-texts.ts';
import {
  agreedTypes,
  type NotedRow,
  OUT_OF_NETWORK,
  proceduresOf,
  type Said,
  sentencesOf,
} from './service-sentences.ts';

/** The notes of a coverage with its status: its limits, and the other parties. */
export interface ServiceNotes {
  /** Against the status or a code, or narrowing it. */
  readonly limits: readonly string[];
  /** Providers and companies. */
  readonly parties: readonly string[];
}

const NOTHING: ServiceNotes = { limits: [], parties: [] };

/**
 * The conditions of a status or code. Each one that applies to a row is noted:
 *
 * | EB01              | case                                               | noted                                  |
 * |-------------------|----------------------------------------------------|----------------------------------------|
 * | 1–8, U, V, W      | a service's status is not the coverage's; EB 4, 5  | its status, with its days              |
 * | I, E              | on the day, or later                               | not covered, excluded; network, ages, places, days |
 * | D                 | with a percent                                     | the percent, network, ages             |
 * | any but 6–8       | EB11 Y                                             | authorization                          |
 * | 1–5, A–C, F, G    | EB09 S7, S8; III                                   | ages; places                           |
 * | 1–5               | EB12 N of a service or code                        | network                                |
 * | 1–5               | a company in 2120 that is not the payer (RFI 1440) | who has the service                    |
 * | 6–8, D, E, I, V   | the same                                           | whom to ask                            |
 * | 1–5               | X3 in 2120                                         | who grants authorizations              |
 * | 1–8               | another member id in 2120 or REF 1W                | the id                                 |
 * | U, W, MC          | a company, or a plan's name                        | whom to ask, who manages the care      |
 * | L, N, X           | with or without a name                             | primary care, restriction, facility    |
 * | CB, M, O, Q, T    | any                                                | what it is                             |
 *
 * A row speaks on its own days only: what is over is noted only of a service that no row of the day covers. If rows of one
 * service say both, both are noted. Rows for other people than the patient (EB02 CHD, ESP …) are left out; where it is not
 * known whether the patient is one of them, the note names them.
 */
export function serviceNotes(
  coverage: Coverage,
  own: readonly Benefit[],
  ofPlan: readonly Benefit[],
  reading: BenefitReading,
  { held }: CodeAnswers,
  knownOf: (row: Benefit) => Known,
): ServiceNotes {
  const limits: Said[] = [];
  const parties: Said[] = [];
  const typesOfPlan = new Set(ofPlan.map(({ insuranceType }) => insuranceType));
  for (const [place, sent] of own.entries()) {
    const read = reading.rows[place];
    if (!read || isPlainAmount(sent) || read.isTheirs === false) continue;
    const row = { ...read, sent };
    const isLater = row.days.time === 'future' && statusOf(sent.code) === 'Active';
    const isOver = (row.days.time === 'past' || isLater) && endsWithDays(sent) && !isOfWholePlan(row.service);
    const party = isOver ? null : noteOfParty(sent, knownOf(sent));
    // Without a status, whom to ask says it all.
    if (party === null || statusOf(sent.code) !== null)
      limits.push(...notesAgainst(coverage, row, reading, held, typesOfPlan));
    limits.push(...typeLimits(row, typesOfPlan));
    if (party !== null) parties.push({ text: party, row });
    // A party's note has the places and ages of its row.
    const ranges = party === null ? NONE : rangesOf(sent);
    for (const text of narrowing(row, reading)) if (!ranges.includes(text)) limits.push({ text, row });
  }
  if (limits.length + parties.length === 0) return NOTHING;
  const agreed = agreedTypes(coverage, own, reading);
  return {
    limits: sentencesOf(limits, coverage, agreed),
    parties: sentencesOf(parties, coverage, agreed),
  };
}

/** Whether a row says nothing after its days: cover or a denial. An inactive one says where the patient is insured now. */
function endsWithDays({ code }: Benefit): boolean {
  return statusOf(code) === 'Active' || code === NON_COVERED || code === EXCLUDED || code === 'D';
}

/** Whether a row is only an amount, as nearly all rows of a long answer are. */
function isPlainAmount(row: Benefit): boolean {
  const { code, amount, authorisation, quantity, quantityQualifier, information, insuranceType } = row;
  if (!AMOUNTS.has(code) || authorisation === 'Y' || information.length > 0) return false;
  const isAge = quantity !== null && (quantityQualifier === 'S7' || quantityQualifier === 'S8');
  if (isAge || (insuranceType !== null && isLimitingType(insuranceType))) return false;
  return code !== SPEND_DOWN || amount !== null;
}

const SPEND_DOWN = 'Y';
const AMOUNTS: ReadonlySet<string> = new Set(['A', 'B', 'C', 'F', 'G', SPEND_DOWN]);

/** How a row's services differ from its coverage. */
function notesAgainst(
  coverage: Coverage,
  row: NotedRow,
  reading: BenefitReading,
  held: ReadonlySet<string>,
  typesOfPlan: ReadonlySet<string | null>,
): readonly Said[] {
  const { code } = row.sent;
  if (code === NON_COVERED || code === EXCLUDED) return denials(coverage, row, reading);
  const status = statusOf(code);
  if (status === undefined) return NONE;
  const isPlan = isOfWholePlan(row.service);
  if (row.days.time !== 'now' && status !== null) return isPlan ? NONE : over(coverage, row, reading, held);
  if (!isPlan && status === 'Active') {
    const conditions = conditionsOf(row, typesOfPlan);
    if (conditions.length > 0) return conditions.map((text) => ({ text, row }));
  }
  if (row.service.procedure !== null)
    return INACTIVE_PENDING.has(code) ? [{ text: `Inactive${pendingText(code)} (EB ${code})`, row }] : NONE;
  if (status === null && row.sent.serviceTypes.length === 0 && row.sent.planName === null) return NONE;
  const days = status === 'Inactive' ? daysText(row) : '';
  const about = `${casesText(row)}${days} (EB ${code})`;
  if (status === 'Inactive' && coverage.saidStatus === 'Active')
    return withBoth(`Inactive${pendingText(code)}`, about, row, reading);
  if (status === coverage.saidStatus) {
    const isHeld = status === 'Active' && coverage.status === 'Inactive' && daysText(row) !== '';
    return isHeld && !isPlan ? [{ text: `active${daysText(row)} by a row of its own`, row }] : NONE;
  }
  return [
    {
      text: `${status ?? 'no status'}${status === null ? '' : about}${status === null ? ` (EB ${code})` : ''}`,
      row,
    },
  ];
}

/** What keeps an active service from being plain: what it waits for, whom it is for, which costs it is limited to. */
function conditionsOf(row: NotedRow, typesOfPlan: ReadonlySet<string | null>): readonly string[] {
  const { code, insuranceType: type } = row.sent;
  const people = peopleText(row);
  const isLimited = type !== null && isLimitingType(type) && !typesOfPlan.has(type);
  return [
    ...(code === PENDING ? [`still under review${people} (EB 5)`] : []),
    ...(code === CAPITATED ? [`${CAPITATED_TEXT}${people} (EB 4)`] : []),
    ...(people !== '' && code !== PENDING && code !== CAPITATED ? [`said${people} (EB02)`] : []),
    ...(isLimited ? [`insurance ${insuranceTypeName(type)}`] : []),
  ];
}

/** An insurance type that limits or orders, of a row that is not the coverage's: it is always noted. */
function typeLimits(row: NotedRow, typesOfPlan: ReadonlySet<string | null>): readonly Said[] {
  const { code, insuranceType: type } = row.sent;
  if (type === null || !isLimitingType(type) || typesOfPlan.has(type) || row.days.time === 'past')
    return NONE;
  const isNoted = !isOfWholePlan(row.service) && statusOf(code) === 'Active' && row.days.time === 'now';
  return isNoted ? NONE : [{ text: `insurance ${insuranceTypeName(type)}`, row }];
}

/** EB 4 in words. */
export const CAPITATED_TEXT = 'capitated to the primary care provider';

function pendingText(code: string): string {
  return INACTIVE_PENDING.has(code) ? ', still under review' : '';
}

/** A denial, on its days. Codes that it denies plainly are listed among those that are not covered. */
function denials({ saidStatus }: Coverage, row: NotedRow, reading: BenefitReading): readonly Said[] {
  const { code } = row.sent;
  if (row.days.time === 'past' || (code === NON_COVERED && saidStatus !== 'Active')) return NONE;
  const word = code === EXCLUDED ? 'excluded' : 'not covered';
  const about = `${casesText(row)}${daysText(row)} (EB ${code})`;
  const isListed = code === NON_COVERED && row.standing === 'speaks' && row.benefit.network !== 'out';
  if (row.service.procedure !== null && isListed && row.days.time === 'now') return NONE;
  if (row.days.time === 'now') return withBoth(word, about, row, reading);
  return [{ text: `${code === EXCLUDED ? 'will be excluded' : 'will not be covered'}${about}`, row }];
}

/** The sentence for the services that rows only deny, and one where other rows of the day say the opposite. */
function withBoth(word: string, about: string, row: NotedRow, reading: BenefitReading): readonly Said[] {
  const types = row.service.procedure === null ? row.service.types.map(({ code }) => code) : [];
  const both =
    row.standing === 'speaks' ? types.filter((type) => reading.coverOfType(type).kind === 'both') : [];
  if (both.length === 0) return [{ text: `${word}${about}`, row }];
  const rest = types.filter((type) => !both.includes(type));
  const isFar = (type: string) => reading.coverOfType(type).isByNetwork;
  const [far, near] = [both.filter(isFar), both.filter((type) => !isFar(type))];
  return [
    ...(rest.length > 0 ? [{ text: `${word}${about}`, row, types: rest }] : []),
    ...(far.length > 0
      ? [{ text: `covered out of network, ${word} in network${about}`, row, types: far }]
      : []),
    ...(near.length > 0
      ? [{ text: `covered by one row, ${word}${about} by another`, row, types: near }]
      : []),
  ];
}

/** What ended or has not begun, of services that no row of the day covers. */
function over(
  { saidStatus }: Coverage,
  row: NotedRow,
  reading: BenefitReading,
  held: ReadonlySet<string>,
): readonly Said[] {
  const { code } = row.sent;
  const isCover = statusOf(code) === 'Active';
  if (isCover && saidStatus !== 'Active') return NONE;
  const text = `${isCover ? '' : 'Inactive, '}${endText(row.days.period, row.days.time)}${peopleText(row)}${
    isCover ? '' : ` (EB ${code})`
  }`;
  if (row.service.procedure !== null) {
    const isCovered = proceduresOf(row).some((one) => {
      const lastCode = one.last_code?.toUpperCase() ?? null;
      const named = { code: one.code.toUpperCase(), lastCode, modifiers: one.modifiers };
      return held.has(named.code) || reading.coverOfNamed(named).kind !== 'not_covered';
    });
    return isCovered ? NONE : [{ text, row }];
  }
  // An end is noted next to today's cover too, also one that is still to come.
  const types = row.service.types
    .map((type) => type.code)
    .filter((type) => !isCover || reading.coverOfType(type).kind === 'not_covered');
  return types.length === 0 ? NONE : [{ text, row, types }];
}

function endText({ start, end }: Period, time: RowTime): string {
  return time === 'future' ? `not before ${start}` : `ended on ${end}`;
}

/** The days of a denial, with a blank before them. */
function daysText({ days: { period } }: ReadRow): string {
  const { start, end } = period;
  if (start !== null && end !== null) return ` from ${start} to ${end}`;
  if (start !== null) return ` from ${start}`;
  return end === null ? '' : ` to ${end}`;
}

function networkText({ benefit }: ReadRow): string {
  return benefit.network === 'out' ? ' out of network' : '';
}

/** In which network, at which places and ages, and for whom a row says it. */
function casesText(row: NotedRow): string {
  const cases = `${rangesText(row.sent)}${peopleText(row)}`;
  return `${networkText(row)}${cases === '' && row.standing === 'narrow' ? ' in some cases' : cases}`;
}

/** The people that a row names, where the payer does not say whether the patient is one of them. */
function peopleText({ isTheirs, benefit }: ReadRow): string {
  return isTheirs === null ? ` for ${peopleName(benefit.level)}` : '';
}

/** The conditions that limit a service, a code or a cost. */
function narrowing(row: NotedRow, reading: BenefitReading): readonly string[] {
  const { sent, days } = row;
  const { code, authorisation, percent } = sent;
  const status = statusOf(code);
  if (code === NON_COVERED || code === EXCLUDED || status === 'Inactive' || days.time === 'past') return NONE;
  const isFuture = days.time === 'future';
  if (isFuture && code !== 'D') return NONE;
  const authorised = authorisation === 'Y' && !isFuture ? [authorizationText(row, reading)] : NONE;
  const isPlan = isOfWholePlan(row.service);
  if (code === 'D' && !isPlan) {
    const percentText = percent === null ? null : percentOf(percent);
    const values = [
      ...(sent.amount === null ? NONE : [`$${sent.amount}`]),
      ...(percentText === null ? NONE : [`${percentText} %`]),
    ];
    const network = sent.inNetwork === 'Y' ? ' in network' : networkText(row);
    const later = isFuture ? [`not before ${days.period.start}`] : NONE;
    const shown = [
      ...(values.length === 0
        ? NONE
        : [`${values.join(' and ')}${network}${rangesText(sent)}${peopleText(row)}`]),
      ...later,
    ].join(', ');
    return [...(shown === '' ? [] : [`${shown} (EB D)`]), ...authorised];
  }
  const isOut = status === 'Active' && sent.inNetwork === 'N' && !isPlan && days.time === 'now';
  const ranges = rangesOf(sent);
  if (authorised.length === 0 && !isOut) return ranges;
  return [...authorised, ...(isOut ? [OUT_OF_NETWORK] : []), ...ranges];
}

/** That an authorization is needed; in some cases only, unless the places or ages say in which, where rows differ. */
function authorizationText(row: NotedRow, reading: BenefitReading): string {
  const ranges = rangesText(row.sent);
  const isPlain = ranges !== '' || reading.hasOneAuthorization(row);
  return `needs an authorization${isPlain ? '' : ' in some cases'}${networkText(row)}${ranges} (EB11)`;
}
