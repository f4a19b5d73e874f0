import type { InsurancePlanData } from '@insurance-verification/schema';
import type { Member, Rejection } from '../answer/eligibility-answer.ts';
import { PENDING } from './coverages/benefit-codes.ts';
import type { Coverage } from './coverages/coverages-of.ts';
import { type CodeAnswers, codeAnswers } from './coverages/covered-codes.ts';
import { namedPlan } from './coverages/named-plan.ts';
import { excludes, planPeriod, withOuter } from './coverages/plan-period.ts';
import { rowsByCoverage } from './coverages/rows-by-coverage.ts';
import { serviceNotes } from './coverages/service-notes.ts';
import type { AnswerContext } from './finding.ts';
import { gathered } from './gathered.ts';
import { type AskedProcedure, askedProcedures } from './inquiry/asked-procedures.ts';
import { insuranceEntry } from './insurance-entry.ts';
import type { PlacedMember } from './member/choose-member.ts';
import { nameText } from './member/patient-of.ts';
import { otherPayers } from './other-payers.ts';
import { payerCodesOf } from './payer-codes-of.ts';
import { plainText } from './plain-text.ts';

/** The entries of a member: one per coverage, one per other payer. */
export function insuranceDataOf(
  placed: PlacedMember,
  coverages: readonly Coverage[],
  rejections: readonly Rejection[],
  context: AnswerContext,
): InsurancePlanData[] {
  const { benefits, dates, messages } = placed.member;
  const general = [
    ...payerNotes(placed, context),
    ...payerCodesOf(rejections).map((code) => `The payer also answered ${code}.`),
  ];
  const asked = askedProcedures(context.request);
  const rows = rowsByCoverage(coverages, benefits);
  const answers = rows.map((own) => codeAnswers(own, asked, context.serviceDate));
  const planNames = coverages.map((coverage) => coverage.planName ?? planNameOf(coverage, placed.member));
  const ofCoverages = coverages.map((coverage, index) => {
    const own = rows[index] ?? [];
    const { covered, notCovered } = answers[index] ?? NO_ANSWERS;
    const period = withOuter(coverage, dates, context.serviceDate);
    const isOutside = coverage.status === 'Active' && excludes(period, context.serviceDate);
    const notes = [
      ...(index === 0 ? messages : []),
      ...gathered(own, 'messages'),
      ...(coverage.codes.has(PENDING) ? ['The payer is still reviewing this coverage (EB 5).'] : []),
      ...(coverage.status === null
        ? [`The payer could not tell the status (EB ${[...coverage.codes][0]}).`]
        : []),
      ...typeNotes(index, coverages, planNames),
      ...(isOutside ? [`Not active on ${context.serviceDate}: outside of the plan's dates.`] : []),
      ...serviceNotes(coverage, own, context.serviceDate),
      ...(notCovered.length > 0 ? [`Not covered: ${notCovered.join(', ')}.`] : []),
      ...(index === 0 ? [...silenceNotes(answers, asked, context), ...general] : []),
    ];
    const hasCodes = covered.length + notCovered.length > 0;
    return insuranceEntry(placed, context, notes, {
      payer_name: payerNameOf(placed, context),
      plan_name: planNames[index] ?? null,
      eligibility_status: isOutside ? 'Inactive' : coverage.status,
      start_date: period.start,
      end_date: period.end,
      cpt_code_coverage: hasCodes ? (isOutside ? [] : [...covered]) : null,
    });
  });
  return [...ofCoverages, ...otherPayers(placed, context)];
}

/** The insurance type where the plan's name does not tell a coverage from another: of Medicare, part A from part B. */
function typeNotes(
  index: number,
  coverages: readonly Coverage[],
  planNames: readonly (string | null)[],
): string[] {
  const own = coverages[index]?.insuranceType ?? null;
  const isNeeded = coverages.some(
    ({ insuranceType }, other) => insuranceType !== own && planNames[other] === planNames[index],
  );
  return own !== null && isNeeded ? [`Insurance type ${own} (EB04).`] : [];
}

function planNameOf({ places }: Coverage, { benefits, references }: Member): string | null {
  for (const place of places) {
    const row = benefits[place];
    const name = row && row.references.length > 0 ? namedPlan(row.references) : null;
    if (name !== null) return name;
  }
  return namedPlan(references);
}

/** The entry for an answer that says only "out of network". */
export function outOfNetworkEntry(placed: PlacedMember, context: AnswerContext): InsurancePlanData {
  const { start, end } = planPeriod(placed.member.dates, context.serviceDate);
  return insuranceEntry(
    placed,
    context,
    ['The provider is out of network (AAA 35).', ...payerNotes(placed, context)],
    {
      payer_name: payerNameOf(placed, context),
      plan_name: null,
      eligibility_status: null,
      start_date: start,
      end_date: end,
      cpt_code_coverage: null,
    },
  );
}

const NO_ANSWERS: CodeAnswers = { covered: [], notCovered: [], silent: [], named: [] };

/** Codes that no coverage answers, and codes that a 270 cannot ask for. */
function silenceNotes(
  answers: readonly CodeAnswers[],
  asked: readonly AskedProcedure[],
  { request }: AnswerContext,
): string[] {
  const askedTexts = asked.flatMap(({ texts }) => texts);
  const unanswered = askedTexts.filter((text) => answers.every((one) => one.silent.includes(text)));
  const isNamed = (text: string) => answers.some((one) => one.named.includes(text));
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

/** NM103 of loop 2100A where it is a configured name; else the payer that was asked. */
function payerNameOf({ payer }: PlacedMember, { payerNames, request }: AnswerContext): string {
  const told = plainText(payer.party?.name?.last ?? '');
  return payerNames.find((name) => plainText(name) === told) ?? request.payer_info.name;
}

function payerNotes(placed: PlacedMember, context: AnswerContext): string[] {
  const told = placed.payer.party?.name;
  if (!told || plainText(nameText(told)) === plainText(payerNameOf(placed, context))) return [];
  return [`The payer calls itself ${nameText(told)}.`];
}
