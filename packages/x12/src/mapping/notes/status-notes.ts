import { type BenefitReading, excludesDay, isStatus } from '@insurance-verification/schema';
import type { AnsweringPayer, Benefit } from '../../answer/eligibility-answer.ts';
import type { DatedPeriod, Reference } from '../../parts/parts.ts';
import { insuranceTypeName, isLimitingType, isSamePlain, serviceTypeNames } from '../codes.ts';
import { benefitPeriods } from '../coverages/coverage-period.ts';
import type { Coverage } from '../coverages/coverages-of.ts';
import type { CodeAnswers } from '../coverages/covered-codes.ts';
import { differInNumbers, distinctNumbers } from '../coverages/plan-numbers.ts';
import { CAPITATED, PENDING } from '../eb-codes.ts';
import { nameText } from '../patient-of.ts';
import { payerOf, type PlacedMember } from '../placed-member.ts';
import { daysText } from './payer-notes.ts';
import { peopleName } from './row-texts.ts';
import { CAPITATED_TEXT } from './service-notes.ts';

/** Why the status is not plain. */
export function statusNotes(coverage: Coverage, reading: BenefitReading, serviceDate: string): string[] {
  const { codes, status, saidStatus, services, heldServices, heldProcedures, planName, otherPeriods } =
    coverage;
  const named = status === 'Active' ? heldServices : services;
  const about = [...(named.length > 0 ? [serviceTypeNames(named)] : []), ...heldProcedures.slice(0, 20)];
  const only = planName === null ? ' only: the payer said nothing of the plan as a whole' : ' only';
  const pending = [...codes].filter((code) => PENDING_CODES.has(code));
  return [
    ...(status === saidStatus ? [] : [`Not active on ${serviceDate}: outside of the plan's dates.`]),
    ...pending.map((code) => `The payer is still reviewing this coverage (EB ${code}).`),
    ...(codes.has(CAPITATED) && services.length === 0 ? [`The coverage is ${CAPITATED_TEXT} (EB 4).`] : []),
    ...(saidStatus === null ? [`The payer could not tell the status (EB ${[...codes][0]}).`] : []),
    ...(about.length === 0 || saidStatus === null ? [] : [`${about.join(', ')}${only}.`]),
    ...otherPeriods.map(
      (period) => `The payer also names days that do not hold ${serviceDate}: ${daysText(period)}.`,
    ),
    ...peopleNotes(coverage, reading),
  ];
}

/** EB01 of a status that may change soon. */
const PENDING_CODES: ReadonlySet<string> = new Set([PENDING, '7', '8']);

/** A status for people, where it is not known whether the patient is one of them. */
function peopleNotes({ services }: Coverage, { rows }: BenefitReading): string[] {
  if (services.length > 0) return []; // next to each service
  const named = new Set<string>();
  for (const { benefit, isTheirs, service } of rows)
    if (isTheirs === null && isStatus(benefit.kind) && service.procedure === null)
      named.add(peopleName(benefit.level));
  return named.size === 0
    ? []
    : [`The payer says this of ${[...named].join(' and ')}, and not what the patient is to the subscriber.`];
}

/** Where the payer says both of one plan on one day, and no network distinguishes them. */
export function contradictionNotes(
  coverage: Coverage,
  coverages: readonly Coverage[],
  serviceDate: string,
): string[] {
  const { saidStatus, planName, insuranceType, network, services, period } = coverage;
  const isOther = (other: Coverage) =>
    other.saidStatus !== saidStatus &&
    !excludesDay(other.period, serviceDate) &&
    other.planName === planName &&
    other.insuranceType === insuranceType &&
    other.network === network &&
    other.services.length === services.length;
  const other = excludesDay(period, serviceDate) ? undefined : coverages.find(isOther);
  return other?.saidStatus ? [`The payer also answers ${other.saidStatus} for this coverage.`] : [];
}

/** Where a coverage is of one network only. */
export function networkNotes({ network }: Coverage, coverages: readonly Coverage[]): string[] {
  if (network === 'N') return ['Out of network only (EB12 N).'];
  return network === 'Y' && coverages.some((other) => other.network === 'N') ? ['In network (EB12 Y).'] : [];
}

/** The codes that are not covered, each with the days of its denial, and those that rows both cover and deny. */
export function codeNotes({ notCovered, both, farOnly }: CodeAnswers): string[] {
  const texts = notCovered.map(({ text, rows }) => {
    const [first] = rows;
    const isDated = rows.length === 1 && first?.days.time === 'now';
    const { start, end } = first?.days.period ?? { start: null, end: null };
    return !isDated || (start === null && end === null) ? text : `${text} (${sinceText(start, end)})`;
  });
  return [
    ...(texts.length > 0 ? [`Not covered: ${texts.join(', ')}.`] : []),
    ...(farOnly.length > 0 ? [`Not covered in network, covered out of network: ${farOnly.join(', ')}.`] : []),
    ...(both.length > 0 ? [`The payer says both, covered and not covered: ${both.join(', ')}.`] : []),
  ];
}

function sinceText(start: string | null, end: string | null): string {
  if (start === null) return `to ${end}`;
  return end === null ? `since ${start}` : `${start} to ${end}`;
}

/** The insurance type where it limits or orders the coverage, and where the plan's name does not distinguish coverages. */
export function typeNotes(
  index: number,
  coverages: readonly Coverage[],
  planNames: readonly (string | null)[],
  rows: readonly Benefit[],
): string[] {
  const own = coverages[index]?.insuranceType ?? null;
  const isNeeded = coverages.some(
    ({ insuranceType }, other) => insuranceType !== own && planNames[other] === planNames[index],
  );
  const types = new Set(own !== null && isNeeded ? [own] : []);
  for (const { insuranceType: type } of rows) if (type !== null && isLimitingType(type)) types.add(type);
  return [...types].map((type) => `Insurance ${insuranceTypeName(type)}.`);
}

/** More than any payer sends. */
const PERIOD_COUNT_MAX = 20;

/** Benefit periods (348, 349) that do not hold the day and are not those of the coverage. */
export function benefitPeriodNotes(
  { period, services, procedures }: Coverage,
  loops: readonly (readonly DatedPeriod[])[],
  serviceDate: string,
): string[] {
  if (services.length + procedures.length > 0) return []; // each service has its own days
  const sentences = new Set<string>();
  for (const loop of loops)
    for (const one of benefitPeriods(loop)) {
      if (sentences.size === PERIOD_COUNT_MAX || !excludesDay(one, serviceDate)) continue;
      const isOwn = one.end === period.end && (one.start === null || one.start === period.start);
      if (!isOwn)
        sentences.add(`Benefit ${one.end === null ? `from ${one.start}` : daysText(one)} (DTP 348, 349).`);
    }
  return [...sentences];
}

/**
 * Numbers of the plan that are typed nowhere: several of one kind, and the one that distinguishes it from another coverage
 * without a name of its own.
 */
export function numberNotes(
  coverage: Coverage,
  coverages: readonly Coverage[],
  references: readonly Reference[],
): string[] {
  const isNeeded = coverages.some(
    (other) =>
      other !== coverage &&
      other.planName === coverage.planName &&
      differInNumbers(other.numbers, coverage.numbers),
  );
  return NUMBERS.flatMap(([qualifier, name]) => {
    const ids = distinctNumbers(references, qualifier).slice(0, NUMBER_COUNT_MAX);
    if (ids.length > 1) return [`${name}s: ${ids.join(', ')}.`];
    return isNeeded && ids.length === 1 ? [`${name}: ${ids.join(', ')}.`] : [];
  });
}

/** More than any plan has. */
const NUMBER_COUNT_MAX = 20;

const NUMBERS = [
  ['18', 'Plan number'],
  ['6P', 'Group number'],
  ['1L', 'Group or policy number'],
] as const;

/** Other payers that answer in a 2000A of their own: for the coverage, or for single services or amounts of it. */
export function answeredByNotes(
  ofPlan: readonly Benefit[],
  rows: readonly Benefit[],
  placed: PlacedMember,
): string[] {
  if (placed.payers.size === 0) return [];
  const named = new Map<string, { isCoverage: boolean; readonly types: Set<string> }>();
  const main = nameAt(placed.payer);
  const deciding = new Set(ofPlan);
  for (const row of rows) {
    const name = nameAt(payerOf(placed, row));
    if (name === '' || isSamePlain(name, main)) continue;
    const said = named.get(name) ?? { isCoverage: false, types: new Set() };
    named.set(name, said);
    if (deciding.has(row)) said.isCoverage = true;
    for (const type of row.serviceTypes) said.types.add(type);
  }
  return [...named].map(([name, { isCoverage, types }]) => {
    if (isCoverage) return `Answered by ${name}.`;
    return `Answered by ${name}: ${types.size === 0 ? 'a part of this' : serviceTypeNames(types, 'service')}.`;
  });
}

function nameAt({ party }: AnsweringPayer): string {
  return party?.name ? nameText(party.name) : '';
}
