import type { InsurancePlanData } from '@insurance-verification/schema';
import type { Benefit } from '../answer/eligibility-answer.ts';
import { OTHER_PAYER } from './coverages/benefit-codes.ts';
import { namedPlan } from './coverages/named-plan.ts';
import { planPeriod } from './coverages/plan-period.ts';
import type { AnswerContext } from './finding.ts';
import { gathered } from './gathered.ts';
import { insuranceEntry } from './insurance-entry.ts';
import type { PlacedMember } from './member/choose-member.ts';
import { payerAmong, payerNameAmong } from './member/payer-among.ts';
import { plainText } from './plain-text.ts';

/** More payers than any patient has. */
const OTHER_PAYER_COUNT_MAX = 50;

/** One entry per other payer, plan and period that the answer names below an EB01 R. */
export function otherPayers(placed: PlacedMember, context: AnswerContext): InsurancePlanData[] {
  const byPayer = new Map<string, Benefit[]>();
  for (const row of placed.member.benefits) {
    if (row.code !== OTHER_PAYER) continue;
    const { start, end } = planPeriod(row.dates, context.serviceDate);
    const payer = payerAmong(row.entities);
    const name = payerNameAmong(row.entities);
    // A line break is safe as a separator: no value holds one.
    const key = [payer?.id, name, row.planName, row.insuranceType, start, end].join('\n');
    const known = byPayer.get(key);
    if (known) known.push(row);
    else if (byPayer.size < OTHER_PAYER_COUNT_MAX) byPayer.set(key, [row]);
  }
  return [...byPayer.values()].flatMap((rows) => {
    const [row] = rows;
    return row ? [otherPayerEntry(placed, context, row, gathered(rows, 'messages'))] : [];
  });
}

function otherPayerEntry(
  placed: PlacedMember,
  context: AnswerContext,
  row: Benefit,
  messages: readonly string[],
): InsurancePlanData {
  const name = payerNameAmong(row.entities);
  const { start, end } = planPeriod(row.dates, context.serviceDate);
  const configured = context.payerNames.find((one) => plainText(one) === plainText(name ?? ''));
  const told = name === null ? 'Another payer covers the patient too.' : `Other payer: ${name}.`;
  return insuranceEntry(placed, context, [told, ...messages], {
    ...(configured !== undefined && { payer_name: configured }),
    plan_name: row.planName ?? namedPlan(row.references),
    eligibility_status: null,
    start_date: start,
    end_date: end,
    cpt_code_coverage: null,
  });
}
