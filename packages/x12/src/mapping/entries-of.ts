import { BenefitReading, excludesDay, onlyPlanName } from '@insurance-verification/schema';
import type { Benefit, Member, Rejection } from '../answer/eligibility-answer.ts';
import type { Party } from '../parts/parts.ts';
import { insuranceTypeName, payerCodesOf, serviceTypeNames } from './codes.ts';
import { coveragePeriod } from './coverages/coverage-period.ts';
import { type Coverage, namedPlan } from './coverages/coverages-of.ts';
import { codeAnswers, type CodeAnswers } from './coverages/covered-codes.ts';
import { OTHER_PAYER, PENDING, rowsByCoverage, WHOLE_PLAN } from './coverages/deciding-rows.ts';
import { loopOfRows, relationshipOf } from './found-benefits.ts';
import { entryHead, insuranceEntry, type ReadEntry } from './insurance-entry.ts';
import { gathered } from './kept-row.ts';
import { moneyNotes } from './notes/money-notes.ts';
import { dateNotes, messagesOf, payerNameOf, payerNotes } from './notes/payer-notes.ts';
import { serviceNotes } from './notes/service-notes.ts';
import { otherPayers } from './other-payers.ts';
import { memberIdAt, nameText } from './patient-of.ts';
import { loopOf, type PlacedMember } from './placed-member.ts';
import { readBenefitRow } from './read-benefit-row.ts';
import type { AnswerContext } from './read-finding.ts';
import { OUT_OF_NETWORK } from './rejection-reasons.ts';
import { type AskedProcedure, askedProcedures } from './to-eligibility-inquiry.ts';

/** The entries of a member: one per coverage, one per other payer. */
export function entriesOf(
  placed: PlacedMember,
  coverages: readonly Coverage[],
  rejections: readonly Rejection[],
  context: AnswerContext,
): ReadEntry[] {
  const { member, notes: memberNotes } = placed;
  const { benefits, dates, messages } = member;
  const asked = askedProcedures(context.request);
  const rows = rowsByCoverage(coverages, benefits);
  const relationship = relationshipOf(placed);
  const loop = loopOfRows(placed);
  const answers = rows.map((own) => codeAnswers(own, asked, relationship, context.serviceDate));
  const planNames = coverages.map(
    (coverage) => coverage.planName ?? planNameOf(coverage, placed, coverages.length === 1),
  );
  const head = entryHead(placed, context);
  const payerName = payerNameOf(placed, context);
  const known = {
    payer: nameOrEmpty(placed.payer),
    payerId: placed.payer.party?.id ?? null,
    provider: nameOrEmpty(placed.provider),
    memberId: memberIdAt(placed),
  };
  const ofCoverages = coverages.map((coverage, index) => {
    const own = rows[index] ?? [];
    const isFirst = index === 0;
    const { covered, notCovered } = answers[index] ?? NO_ANSWERS;
    const read = own.map((row, place) =>
      readBenefitRow(row, { row: place, loop, segments: segmentTexts(row) }),
    );
    const reading = new BenefitReading(read, {
      plans: planNames,
      entry: index,
      relationship,
      serviceDate: context.serviceDate,
    });
    const { limits, parties } = serviceNotes(coverage, own, reading, {
      relationship,
      serviceDate: context.serviceDate,
      known,
    });
    const notes = [
      ...statusNotes(coverage, context.serviceDate),
      ...contradictionNotes(coverage, coverages, context.serviceDate),
      ...(notCovered.length > 0 ? [`Not covered: ${notCovered.join(', ')}.`] : []),
      ...networkNotes(coverage, coverages),
      ...dateNotes(isFirst ? dates : [], gathered(own, 'dates')),
      ...limits,
      ...(coverage.status === 'Inactive' && covered.length > 0
        ? [`Covered by rows of their own, but not by an active plan: ${covered.join(', ')}.`]
        : []),
      ...(isFirst ? memberNotes : []),
      ...typeNotes(index, coverages, planNames),
      ...moneyNotes(read, reading),
      ...parties,
      ...(isFirst ? [...silenceNotes(answers, asked, context), ...rejectionNotes(member, rejections)] : []),
      ...(isFirst ? payerNotes(placed, payerName) : []),
    ];
    const said = [...(isFirst ? messages : []), ...messagesOf(own)];
    const hasCodes = covered.length + notCovered.length > 0;
    const data = insuranceEntry(
      head,
      { notes, messages: said },
      {
        payer_name: payerName,
        plan_name: planNames[index] ?? null,
        eligibility_status: coverage.status,
        start_date: coverage.period.start,
        end_date: coverage.period.end,
        cpt_code_coverage: hasCodes ? (coverage.status === 'Inactive' ? [] : [...covered]) : null,
      },
    );
    return { data, rows: own };
  });
  return [...ofCoverages, ...otherPayers(benefits, head, context)];
}

function segmentTexts({ segments }: Benefit): string[] {
  return segments.map(({ text }) => text);
}

function nameOrEmpty(loop: { readonly party: Party | null } | null): string {
  const name = loop?.party?.name;
  return name ? nameText(name) : '';
}

/** Why the status is not plain. */
function statusNotes(
  { codes, status, saidStatus, services, procedures, planName }: Coverage,
  serviceDate: string,
): string[] {
  const about = [...(services.length > 0 ? [serviceTypeNames(services)] : []), ...procedures.slice(0, 20)];
  const only = planName === null ? ' only: the payer said nothing of the plan as a whole' : ' only';
  return [
    ...(status === saidStatus ? [] : [`Not active on ${serviceDate}: outside of the plan's dates.`]),
    ...(codes.has(PENDING) ? ['The payer is still reviewing this coverage (EB 5).'] : []),
    ...(saidStatus === null ? [`The payer could not tell the status (EB ${[...codes][0]}).`] : []),
    ...(about.length === 0 || saidStatus === null ? [] : [`${about.join(', ')}${only}.`]),
  ];
}

/** Where the payer says both of one plan on one day, and no network distinguishes them. */
function contradictionNotes(
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
function networkNotes({ network }: Coverage, coverages: readonly Coverage[]): string[] {
  if (network === 'N') return ['Out of network only (EB12 N).'];
  return network === 'Y' && coverages.some((other) => other.network === 'N') ? ['In network (EB12 Y).'] : [];
}

/** The payer's AAA with a coverage: of the member, or of the service whose row it follows. */
function rejectionNotes({ benefits }: Member, rejections: readonly Rejection[]): string[] {
  if (rejections.length === 0) return [];
  const ofServices = new Map<string, Set<string>>();
  for (const { rejections: own, serviceTypes, procedures } of benefits) {
    if (own.length === 0) continue;
    for (const code of payerCodesOf(own)) {
      const types = ofServices.get(code) ?? new Set();
      ofServices.set(code, types);
      for (const type of serviceTypes) types.add(type);
      if (serviceTypes.length + procedures.length === 0) types.add(WHOLE_PLAN);
    }
  }
  const ofMember = payerCodesOf(rejections.filter(({ level }) => level !== 'benefit'));
  return [
    ...ofMember.map((code) =>
      code === `AAA ${OUT_OF_NETWORK}`
        ? 'The provider is out of network (AAA 35).'
        : `The payer also answered ${code}.`,
    ),
    ...[...ofServices].flatMap(([code, types]) => {
      if (types.size === 0 || types.has(WHOLE_PLAN))
        return ofMember.includes(code) ? [] : [`The payer also answered ${code}.`];
      return [`${serviceTypeNames(types)}: the payer answered ${code}.`];
    }),
  ];
}

/** The insurance type where the plan's name does not distinguish coverages: of Medicare, part A from part B. */
function typeNotes(
  index: number,
  coverages: readonly Coverage[],
  planNames: readonly (string | null)[],
): string[] {
  const own = coverages[index]?.insuranceType ?? null;
  const isNeeded = coverages.some(
    ({ insuranceType }, other) => insuranceType !== own && planNames[other] === planNames[index],
  );
  return own !== null && isNeeded ? [`Insurance ${insuranceTypeName(own)}.`] : [];
}

function planNameOf({ places }: Coverage, placed: PlacedMember, isOnly: boolean): string | null {
  const { benefits, references } = placed.member;
  for (const place of places) {
    const row = benefits[place];
    const name = row && row.references.length > 0 ? namedPlan(row.references) : null;
    if (name !== null) return name;
  }
  const first = benefits[places[0] ?? -1];
  const ofLoop = namedPlan(first ? loopOf(placed, first).references : references);
  const isOwn = ({ code }: Benefit) => code !== OTHER_PAYER;
  return ofLoop ?? (isOnly ? onlyPlanName(benefits.filter(isOwn).map((row) => row.planName)) : null);
}

/** The entry for an answer that says only "out of network". */
export function outOfNetworkEntry(placed: PlacedMember, context: AnswerContext): ReadEntry {
  const { start, end } = coveragePeriod([], placed.member.dates, context.serviceDate);
  const payerName = payerNameOf(placed, context);
  const notes = [
    'The provider is out of network (AAA 35).',
    ...placed.notes,
    ...payerNotes(placed, payerName),
  ];
  const data = insuranceEntry(
    entryHead(placed, context),
    { notes, messages: [] },
    {
      payer_name: payerName,
      plan_name: null,
      eligibility_status: null,
      start_date: start,
      end_date: end,
      cpt_code_coverage: null,
    },
  );
  return { data, rows: placed.member.benefits };
}

const NO_ANSWERS: CodeAnswers = { covered: [], notCovered: [], silent: [], named: [] };

/** Codes that no coverage answers, and codes that a 270 cannot ask for. */
function silenceNotes(
  answers: readonly CodeAnswers[],
  asked: readonly AskedProcedure[],
  { request }: AnswerContext,
): string[] {
  if (!request.cpt_code_coverage?.length) return [];
  const askedTexts = asked.flatMap(({ texts }) => texts);
  // Sets: a request may spell one code in thousands of ways, and an answer may have fifty coverages.
  const silentIn = answers.map((one) => new Set(one.silent));
  const namedIn = answers.map((one) => new Set(one.named));
  const unanswered = askedTexts.filter((text) => silentIn.every((one) => one.has(text)));
  const isNamed = (text: string) => namedIn.some((one) => one.has(text));
  const named = unanswered.filter(isNamed);
  const silent = unanswered.filter((text) => !isNamed(text));
  const known = new Set(askedTexts);
  const notAsked = [...new Set(request.cpt_code_coverage)].filter((text) => !known.has(text));
  return [
    ...(silent.length > 0 ? [`The payer did not answer for ${silent.join(', ')}.`] : []),
    ...(named.length > 0 ? [`The payer did not say whether it covers ${named.join(', ')}.`] : []),
    ...(notAsked.length > 0
      ? [`Not asked for, since no procedure code has this form: ${notAsked.join(', ')}.`]
      : []),
  ];
}
