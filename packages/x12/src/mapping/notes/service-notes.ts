import {
  type BenefitReading,
  excludesDay,
  isOfPatient,
  type PatientRelationship,
  type PlanSummary,
} from '@insurance-verification/schema';
import type { Benefit } from '../../answer/eligibility-answer.ts';
import { NONE } from '../../parts/parts.ts';
import type { Period } from '../../parts/read-parts.ts';
import { isSamePlain, serviceTypeNames } from '../codes.ts';
import { rowPeriod } from '../coverages/coverage-period.ts';
import type { Coverage } from '../coverages/coverages-of.ts';
import {
  EXCLUDED,
  NON_COVERED,
  PENDING,
  statusOf,
  WHOLE_PLAN,
  isOfPlan,
} from '../coverages/deciding-rows.ts';
import { percentOf } from '../read-benefit-row.ts';
import { levelOf } from '../slugs.ts';
import { procedureText } from '../to-eligibility-inquiry.ts';
import { type Known, noteOfParty } from './note-of-party.ts';

/** The notes of a coverage with its status: its limits, and the other parties. */
export interface ServiceNotes {
  /** Against the status or a code, or narrowing it. */
  readonly limits: readonly string[];
  /** Providers and companies. */
  readonly parties: readonly string[];
}

const NOTHING: ServiceNotes = { limits: [], parties: [] };

/** The patient's relationship, the service date, and the parties that need no note. */
export interface NotedFor {
  readonly relationship: PatientRelationship | null;
  readonly serviceDate: string;
  readonly known: Known;
}

/** A sentence about services; sentences alike are written once, with all of their services. */
interface Said {
  readonly text: string;
  readonly row: Benefit;
}

/**
 * The conditions of a status or code. Each one that applies to a row is noted:
 *
 * | EB01              | case                                               | noted                                  |
 * |-------------------|----------------------------------------------------|----------------------------------------|
 * | 1–8, U, V, W      | a service's status is not the coverage's; EB 5     | its status                             |
 * | I, E              | in network, or without one                         | not covered, excluded; ages and places |
 * | D                 | with a percent                                     | the percent, network, ages             |
 * | any but 6–8       | EB11 Y                                             | authorization                          |
 * | 1–5, A–C, F, G    | EB09 S7, S8; III                                   | ages; places                           |
 * | 1–5               | EB12 N of a service or code                        | network                                |
 * | 1–5               | a company in 2120 that is not the payer (RFI 1440) | who has the service                    |
 * | 1–5               | X3 in 2120                                         | who grants authorizations              |
 * | 1–8               | another member id in 2120 or REF 1W                | the id                                 |
 * | U, W, MC          | a company, or a plan's name                        | whom to ask, who manages the care      |
 * | L, N, X           | with or without a name                             | primary care, restriction, facility    |
 * | CB, M, O, Q, T, Y | any                                                | what it is                             |
 *
 * If rows of one service say both (by network, by kind of visit), their messages say more. Rows for other people than the
 * patient (EB02 CHD, ESP …) are left out.
 */
export function serviceNotes(
  coverage: Coverage,
  own: readonly Benefit[],
  reading: BenefitReading,
  { relationship, serviceDate, known }: NotedFor,
): ServiceNotes {
  const limits: Said[] = [];
  const parties: Said[] = [];
  for (const row of own) {
    if (isPlainAmount(row) || isOfPatient(levelOf(row), relationship) === false) continue;
    const against = noteAgainst(coverage, row, serviceDate);
    if (against !== null) limits.push({ text: against, row });
    for (const text of narrowing(row, reading, serviceDate)) limits.push({ text, row });
    const party = noteOfParty(row, known);
    if (party !== null) parties.push({ text: party, row });
  }
  if (limits.length + parties.length === 0) return NOTHING;
  const agreed = agreedTypes(coverage, own);
  return {
    limits: sentencesOf(limits, coverage, agreed),
    parties: sentencesOf(parties, coverage, agreed),
  };
}

/** Whether a row is only an amount, as nearly all rows of a long answer are. */
function isPlainAmount({ code, authorisation, quantity, quantityQualifier, information }: Benefit): boolean {
  const isAge = quantity !== null && (quantityQualifier === 'S7' || quantityQualifier === 'S8');
  return AMOUNTS.has(code) && authorisation !== 'Y' && information.length === 0 && !isAge;
}

const AMOUNTS: ReadonlySet<string> = new Set(['A', 'B', 'C', 'F', 'G']);

function sentencesOf(said: readonly Said[], coverage: Coverage, agreed: ReadonlySet<string>): string[] {
  const subjects = new Map<string, { types: Set<string>; codes: Set<string>; isPlan: boolean }>();
  for (const { text, row } of said) {
    const isOther = row.planName !== null && !isSamePlain(row.planName, coverage.planName ?? '');
    const note = isOther ? `${text} for ${row.planName}` : text;
    const known = subjects.get(note);
    const subject = known ?? { types: new Set(), codes: new Set(), isPlan: false };
    if (!known) subjects.set(note, subject);
    for (const type of row.serviceTypes)
      if (isOther || !agreed.has(type) || !STATUS_SENTENCE.test(text)) subject.types.add(type);
    for (const procedure of row.procedures)
      if (text !== OUT_OF_NETWORK || !agreed.has(procedure.code)) subject.codes.add(procedureText(procedure));
    if (isOfPlan(row)) subject.isPlan = true;
  }
  const sentences: string[] = [];
  for (const [note, { types, codes, isPlan }] of subjects) {
    const about = [...(types.size > 0 ? [serviceTypeNames(types)] : []), ...[...codes].slice(0, 20)];
    if (isPlan) sentences.push(`The payer also says: ${note}.`);
    else if (about.length > 0) sentences.push(`${about.join(', ')}: ${note}.`);
  }
  return sentences;
}

const OUT_OF_NETWORK = 'covered out of network (EB12 N)';

/** Sentences of a status, which a row in another network may say otherwise. */
const STATUS_SENTENCE = /^(not covered|covered out|Active|Inactive|no status)/;

/** Service types and codes whose rows agree with the coverage. */
function agreedTypes(coverage: Coverage, own: readonly Benefit[]): ReadonlySet<string> {
  const types = new Set<string>();
  for (const { code, procedures, serviceTypes, inNetwork } of own) {
    if (inNetwork === 'N' || statusOf(code) !== coverage.saidStatus) continue;
    if (procedures.length === 0) for (const type of serviceTypes) types.add(type);
    for (const one of procedures) types.add(one.code);
  }
  return types;
}

/** How a row's services differ from its coverage; null if they do not. */
function noteAgainst({ saidStatus }: Coverage, row: Benefit, serviceDate: string): string | null {
  const { code, procedures, serviceTypes, planName, inNetwork } = row;
  const status = statusOf(code);
  const only = inNetwork === 'N' ? ' out of network' : '';
  if (code === EXCLUDED) return `excluded${only}${rangesText(row)} (EB E)`;
  if (code === NON_COVERED) {
    if (procedures.length > 0 && rangesOf(row).length === 0) return null; // among the codes that are not covered
    if (serviceTypes.length + procedures.length === 0 && planName === null) return null;
    return saidStatus === 'Active' && inNetwork !== 'N' ? `not covered${rangesText(row)} (EB I)` : null;
  }
  if (status === undefined) return null;
  const period = status === 'Active' ? rowPeriod(row.dates, serviceDate) : null;
  const isPast = period !== null && excludesDay(period, serviceDate);
  if (code === PENDING && !isOfPlan(row)) return 'still under review (EB 5)';
  if (procedures.length > 0) return isPast ? daysText(period) : null;
  if (serviceTypes.length === 0 && planName === null) return null;
  if (isPast && saidStatus === 'Active' && !isOfPlan(row)) return daysText(period);
  if (status === saidStatus || isPast) return null;
  return status === null ? `no status (EB ${code})` : `${status}${only}${rangesText(row)} (EB ${code})`;
}

function daysText({ start, end }: Period): string {
  return end === null ? `not before ${start}` : `ended on ${end}`;
}

/** Ages (EB09 S7, S8) and places (III). */
function rangesOf({ quantity, quantityQualifier, information }: Benefit): readonly string[] {
  if (quantity === null && information.length === 0) return NONE;
  const ranges: string[] = [];
  if (quantity !== null && quantityQualifier === 'S7') ranges.push(`up to the age of ${quantity} (EB09 S7)`);
  if (quantity !== null && quantityQualifier === 'S8') ranges.push(`from the age of ${quantity} (EB09 S8)`);
  const places: string[] = [];
  for (const { qualifier, code } of information) if (qualifier === 'ZZ' && code !== null) places.push(code);
  if (places.length > 0) ranges.push(`at place of service ${places.join(', ')} (III)`);
  return ranges;
}

/** With a blank before each; empty for none. */
function rangesText(row: Benefit): string {
  return rangesOf(row)
    .map((range) => ` ${range}`)
    .join('');
}

/** The conditions that limit a service, a code or a cost. */
function narrowing(row: Benefit, reading: BenefitReading, serviceDate: string): readonly string[] {
  const { code, authorisation, inNetwork, percent, procedures, serviceTypes } = row;
  const status = statusOf(code);
  if (code === NON_COVERED || code === EXCLUDED || status === 'Inactive') return NONE;
  const authorised = authorisation === 'Y' ? [authorizationText(row, reading)] : NONE;
  if (code === 'D' && procedures.length + serviceTypes.length > 0) {
    const period = rowPeriod(row.dates, serviceDate);
    const past = excludesDay(period, serviceDate) ? daysText(period) : null;
    const text = percent === null ? null : percentOf(percent);
    const network = inNetwork === 'Y' ? ' in network' : inNetwork === 'N' ? ' out of network' : '';
    const shown =
      text === null
        ? past
        : [`${text} %${network}${rangesText(row)}`, ...(past === null ? [] : [past])].join(', ');
    return [...(shown === null ? [] : [`${shown} (EB D)`]), ...authorised];
  }
  const isOut = status === 'Active' && inNetwork === 'N' && !isOfPlan(row);
  const ranges = rangesOf(row);
  if (authorised.length === 0 && !isOut) return ranges;
  return [...authorised, ...(isOut ? [OUT_OF_NETWORK] : []), ...ranges];
}

/** That an authorization is needed; in some cases only, unless the places or ages say in which, where rows differ. */
function authorizationText(row: Benefit, reading: BenefitReading): string {
  const { in_network: own, out_of_network: far, network_not_said: unsaid } = summaryOf(row, reading);
  const isOut = row.inNetwork === 'N';
  const said = isOut ? far : row.inNetwork === 'Y' || row.inNetwork === 'W' ? own : unsaid;
  const ranges = rangesText(row);
  const isPlain = ranges !== '' || (said !== null && 'value' in said.authorization);
  return `needs an authorization${isPlain ? '' : ' in some cases'}${isOut ? ' out of network' : ''}${ranges} (EB11)`;
}

function summaryOf({ procedures: [procedure], serviceTypes }: Benefit, reading: BenefitReading): PlanSummary {
  if (procedure) return reading.ofProcedure({ ...procedure, code: procedure.code.toUpperCase() });
  const [type] = serviceTypes;
  return type === undefined || serviceTypes.includes(WHOLE_PLAN) ? reading.ofPlan() : reading.ofType(type);
}
