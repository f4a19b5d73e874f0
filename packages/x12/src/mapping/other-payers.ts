import type { InsurancePlanData } from '@insurance-verification/schema';
import type { Benefit } from '../answer/eligibility-answer.ts';
import { insuranceTypeName, ORDERS } from './codes.ts';
import { OTHER_PAYER } from './coverages/benefit-codes.ts';
import { otherPayerPeriod } from './coverages/coverage-period.ts';
import { namedPlan } from './coverages/named-plan.ts';
import type { AnswerContext } from './finding.ts';
import { gathered } from './gathered.ts';
import { insuranceEntry } from './insurance-entry.ts';
import { payerAmong, payerNameAmong } from './member/payer-among.ts';
import type { PlacedMember } from './member/placed-member.ts';
import { daysText } from './notes/date-notes.ts';
import { plainText } from './plain-text.ts';

/** More payers than any patient has. */
const OTHER_PAYER_COUNT_MAX = 50;

/** One entry per other payer, plan and period that the answer names below an EB01 R. */
export function otherPayers(placed: PlacedMember, context: AnswerContext): InsurancePlanData[] {
  const byPayer = new Map<string, Benefit[]>();
  for (const row of placed.member.benefits) {
    if (row.code !== OTHER_PAYER) continue;
    const { start, end } = otherPayerPeriod(row.dates, context.serviceDate);
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
    return row ? [otherPayerEntry(placed, context, row, rows)] : [];
  });
}

function otherPayerEntry(
  placed: PlacedMember,
  context: AnswerContext,
  row: Benefit,
  rows: readonly Benefit[],
): InsurancePlanData {
  const name = payerNameAmong(row.entities);
  const period = otherPayerPeriod(row.dates, context.serviceDate);
  const configured = context.payerNames.find((one) => plainText(one) === plainText(name ?? ''));
  const facts = [
    ORDERS[payerAmong(row.entities)?.role ?? ''],
    row.insuranceType === null ? undefined : insuranceTypeName(row.insuranceType),
    period.start === null && period.end === null ? undefined : daysText(period),
    ...memberIdsOf(rows),
  ].filter((fact) => fact !== undefined);
  const told = [name === null ? 'Another payer covers the patient too' : `Other payer: ${name}`, ...facts];
  const plan = row.planName ?? namedPlan(row.references);
  return insuranceEntry(
    placed,
    context,
    { notes: [`${told.join(', ')}.`], messages: gathered(rows, 'messages') },
    {
      ...(configured !== undefined && { payer_name: configured }),
      plan_name: plan,
      eligibility_status: null,
      start_date: period.start,
      end_date: period.end,
      cpt_code_coverage: null,
    },
  );
}

/** RFI 1914: the patient's id with the other payer, as NM109 of the insured or in a REF, and the plan's number. */
function memberIdsOf(rows: readonly Benefit[]): string[] {
  const ids = new Set<string>();
  for (const { entities, references } of rows) {
    for (const { role, id, idQualifier } of entities)
      if (id !== null && (role === 'IL' || idQualifier === 'MI')) ids.add(`member id ${id}`);
    for (const { qualifier, id } of references) {
      const kind = REFERENCES[qualifier];
      if (kind !== undefined && id !== '') ids.add(`${kind} ${id}`);
    }
  }
  return [...ids].slice(0, ID_COUNT_MAX);
}

const REFERENCES: Readonly<Record<string, string>> = {
  '1W': 'member id',
  '0F': 'subscriber number',
  IG: 'policy number',
  '6P': 'group number',
  '1L': 'group or policy number',
  18: 'plan number',
  F6: 'Medicare id',
  NQ: 'Medicaid id',
};

const ID_COUNT_MAX = 6;
