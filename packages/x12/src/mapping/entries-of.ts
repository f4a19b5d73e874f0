import { BenefitReading, onlyPlanName } from '@insurance-verification/schema';
import type { Benefit, Member, Rejection } from '../answer/eligibility-answer.ts';
import { NONE, type Party, type Reference } from '../parts/parts.ts';
import { heardCodes, type JoinedAnswers, keyOfProcedure, unheardNotes } from './asked-inquiries.ts';
import { payerCodesOf, plainText, serviceTypeNames } from './codes.ts';
import { countedDates, coveragePeriod } from './coverages/coverage-period.ts';
import type { Coverage } from './coverages/coverages-of.ts';
import { codeAnswers, type CodeAnswers } from './coverages/covered-codes.ts';
import { namedPlan } from './coverages/plan-numbers.ts';
import { rowsByCoverage } from './coverages/rows-by-coverage.ts';
import { OTHER_PAYER, WHOLE_PLAN } from './eb-codes.ts';
import { entryHead, insuranceEntry, type ReadEntry } from './insurance-entry.ts';
import { gathered } from './kept-row.ts';
import { moneyNotes } from './notes/money-notes.ts';
import type { Known } from './notes/note-of-party.ts';
import { dateNotes, messagesOf, payerNameOf, payerNotes, unreadNotes } from './notes/payer-notes.ts';
import { serviceNotes } from './notes/service-notes.ts';
import {
  answeredByNotes,
  benefitPeriodNotes,
  codeNotes,
  contradictionNotes,
  networkNotes,
  numberNotes,
  statusNotes,
  typeNotes,
} from './notes/status-notes.ts';
import { otherPayers } from './other-payers.ts';
import { memberIdAt, nameText } from './patient-of.ts';
import { loopOf, loopOfRow, payerOf, type PlacedMember, relationshipOf } from './placed-member.ts';
import { readBenefitRow, readDate } from './read-benefit-row.ts';
import type { AnswerContext } from './read-finding.ts';
import { OUT_OF_NETWORK } from './rejection-reasons.ts';
import {
  type AskedProcedure,
  askedProcedures,
  askedServiceTypes,
  procedureText,
} from './to-eligibility-inquiry.ts';

/** The entries of a member: one per coverage, one per other payer. */
export function entriesOf(
  placed: PlacedMember,
  coverages: readonly Coverage[],
  rejections: readonly Rejection[],
  context: AnswerContext,
  joined: JoinedAnswers | null = null,
): ReadEntry[] {
  const { member, notes: memberNotes } = placed;
  const { benefits, dates, messages } = member;
  const asked = askedProcedures(context.request);
  const relationship = relationshipOf(placed);
  const planNames = coverages.map(
    (coverage) => coverage.planName ?? planNameOf(coverage, placed, coverages.length === 1),
  );
  const rows = rowsByCoverage(coverages, planNames, benefits, placed.ofInquiries);
  const places = new Map(benefits.map((row, place) => [row, place]));
  // Where no row is for the plan, the dates of the loop are those of each service.
  const arounds = coverages.map(({ places: [first], services, procedures }) => {
    const row = services.length + procedures.length > 0 ? benefits[first ?? -1] : undefined;
    return row === undefined ? NONE : countedDates(loopOf(placed, row).dates);
  });
  const readings = rows.map((own, entry) => {
    const read = own.map((row) =>
      readBenefitRow(row, {
        row: places.get(row) ?? 0,
        loop: loopOfRow(placed, row),
        segments: segmentTexts(row),
      }),
    );
    const status = coverages[entry]?.status ?? null;
    return new BenefitReading(read, {
      plans: planNames,
      entry,
      status,
      relationship,
      serviceDate: context.serviceDate,
      around: arounds[entry]?.map(readDate) ?? [],
    });
  });
  const answers = readings.map((reading) => codeAnswers(reading, asked));
  const head = entryHead(placed, context);
  const payerName = payerNameOf(placed, context);
  const common = {
    provider: nameOrEmpty(placed.provider),
    providerId: placed.provider?.party?.id ?? null,
    memberId: memberIdAt(placed),
  };
  const knownOf = (row: Benefit): Known => {
    const payer = payerOf(placed, row);
    return { ...common, payer: nameOrEmpty(payer), payerId: payer.party?.id ?? null };
  };
  const askedServices = {
    codes: new Set(asked.map(({ code }) => code)),
    types: new Set(askedServiceTypes(context.request)),
  };
  const ofCoverages = coverages.map((coverage, index) => {
    const own = rows[index] ?? [];
    const reading = readings[index];
    const answer = answers[index];
    if (!reading || !answer) throw new Error('Each coverage has a reading');
    const isFirst = index === 0;
    const { covered, notCovered } = answer;
    const ofPlan = coverage.places.flatMap((place) => benefits[place] ?? []);
    const { limits, parties } = serviceNotes(coverage, own, ofPlan, reading, answer, knownOf);
    const theirs = own.filter((_, place) => reading.rows[place]?.isTheirs !== false);
    const ofRows = gathered(ofPlan, 'references');
    const ofLoop = ofPlan[0] ? loopOf(placed, ofPlan[0]).references.slice(0, REFERENCE_COUNT_MAX) : [];
    const kinds = new Set(ofRows.map(({ qualifier }) => qualifier));
    const isOfAnother = ({ qualifier, id }: Reference) =>
      kinds.has(qualifier) &&
      coverages.some((other) => other !== coverage && other.numbers.get(qualifier)?.has(plainText(id)));
    const numbers = [...ofLoop.filter((one) => !isOfAnother(one)), ...ofRows];
    const notes = [
      ...statusNotes(coverage, reading, context.serviceDate),
      ...contradictionNotes(coverage, coverages, context.serviceDate),
      ...typeNotes(index, coverages, planNames, ofPlan),
      ...codeNotes(answer),
      ...networkNotes(coverage, coverages),
      ...dateNotes(isFirst ? dates : [], gathered(theirs, 'dates')),
      ...benefitPeriodNotes(
        coverage,
        [...(isFirst ? [dates] : []), ...ofPlan.map((row) => row.dates)],
        context.serviceDate,
      ),
      ...unreadNotes(isFirst ? member.unreadDates : [], theirs),
      ...limits,
      ...(coverage.status === 'Inactive' && covered.length > 0
        ? [`Covered by rows of their own, but not by an active plan: ${covered.join(', ')}.`]
        : []),
      ...(isFirst ? memberNotes : []),
      ...numberNotes(coverage, coverages, numbers),
      ...moneyNotes(reading, askedServices),
      ...parties,
      ...(isFirst
        ? [...silenceNotes(answers, asked, context, joined), ...rejectionNotes(member, rejections)]
        : []),
      ...(isFirst ? payerNotes(placed, payerName) : []),
      ...answeredByNotes(ofPlan, own, placed),
    ];
    const said = [...(isFirst ? messages : []), ...messagesOf(own)];
    const hasCodes = covered.length + notCovered.length + answer.both.length + answer.farOnly.length > 0;
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
    const isByLoop = (arounds[index] ?? NONE).length > 0;
    return { data, rows: own, reading, isByLoop, numbers, orderByRole: null };
  });
  return [...ofCoverages, ...otherPayers(benefits, head, { ...context, relationship, knownOf })];
}

/** More than any payer sends: each coverage reads those of its loop. */
const REFERENCE_COUNT_MAX = 20;

function segmentTexts({ segments }: Benefit): string[] {
  return segments.map(({ text }) => text);
}

function nameOrEmpty(loop: { readonly party: Party | null } | null): string {
  const name = loop?.party?.name;
  return name ? nameText(name) : '';
}

/** The payer's AAA with a coverage: of the member, or of the service whose row it follows. */
function rejectionNotes({ benefits }: Member, rejections: readonly Rejection[]): string[] {
  if (rejections.length === 0) return [];
  const ofServices = new Map<string, { readonly types: Set<string>; readonly codes: Set<string> }>();
  for (const { rejections: own, serviceTypes, procedures } of benefits) {
    if (own.length === 0) continue;
    for (const code of payerCodesOf(own)) {
      const { types, codes } = ofServices.get(code) ?? { types: new Set(), codes: new Set() };
      ofServices.set(code, { types, codes });
      for (const type of serviceTypes) types.add(type);
      for (const one of procedures) if (codes.size < CODE_COUNT_MAX) codes.add(procedureText(one));
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
    ...[...ofServices].flatMap(([code, { types, codes }]) => {
      if (types.has(WHOLE_PLAN)) return ofMember.includes(code) ? [] : [`The payer also answered ${code}.`];
      const about = [...(types.size > 0 ? [serviceTypeNames(types)] : []), ...codes];
      return [`${about.join(', ')}: the payer answered ${code}.`];
    }),
  ];
}

/** More than a desk reads in a note. */
const CODE_COUNT_MAX = 20;

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
export function outOfNetworkEntry(
  placed: PlacedMember,
  context: AnswerContext,
  joined: JoinedAnswers | null,
): ReadEntry {
  const { start, end } = coveragePeriod([], placed.member.dates, context.serviceDate);
  const payerName = payerNameOf(placed, context);
  const notes = [
    'The provider is out of network (AAA 35).',
    ...placed.notes,
    ...(joined === null ? [] : unheardNotes(joined, askedProcedures(context.request))),
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
  const numbers = placed.member.references;
  return { data, rows: placed.member.benefits, reading: null, isByLoop: false, numbers, orderByRole: null };
}

/** Codes that no coverage answers, codes that were not asked for, and codes that a 270 cannot ask for. */
function silenceNotes(
  answers: readonly CodeAnswers[],
  asked: readonly AskedProcedure[],
  { request }: AnswerContext,
  joined: JoinedAnswers | null,
): string[] {
  if (!request.cpt_code_coverage?.length) return joined === null ? [] : unheardNotes(joined, []);
  const askedTexts = asked.flatMap(({ texts }) => texts);
  // Sets: a request may spell one code in thousands of ways, and an answer may have fifty coverages.
  const silentIn = answers.map((one) => new Set(one.silent));
  const namedIn = answers.map((one) => new Set(one.named));
  const unanswered = askedTexts.filter((text) => silentIn.every((one) => one.has(text)));
  const isNamed = (text: string) => namedIn.some((one) => one.has(text));
  const named = unanswered.filter(isNamed);
  const heard = joined && heardCodes(joined);
  const unheard = new Set(
    asked.filter((one) => heard !== null && !heard.has(keyOfProcedure(one))).flatMap(({ texts }) => texts),
  );
  const silent = unanswered.filter((text) => !isNamed(text) && !unheard.has(text));
  const open = new Set(unanswered.filter((text) => !isNamed(text)));
  const unheardCodes = asked.filter(({ texts }) => texts.some((text) => open.has(text)));
  const known = new Set(askedTexts);
  const notAsked = [...new Set(request.cpt_code_coverage)].filter((text) => !known.has(text));
  return [
    ...(silent.length > 0 ? [`The payer did not answer for ${silent.join(', ')}.`] : []),
    ...(named.length > 0 ? [`The payer did not say whether it covers ${named.join(', ')}.`] : []),
    ...(joined === null ? [] : unheardNotes(joined, unheardCodes)),
    ...(notAsked.length > 0
      ? [`Not asked for, since no procedure code has this form: ${notAsked.join(', ')}.`]
      : []),
  ];
}
