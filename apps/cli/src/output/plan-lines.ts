import { type Block, table } from '../terminal/table.ts';
import { listAt, textAt } from '../terminal/text-at.ts';

/** A short view of `insurance_data`. It may come from an untrusted sender, so every field is checked. */
export function planLines(insuranceData: unknown): Block[] {
  if (!Array.isArray(insuranceData)) return [];
  return table(
    ['STATUS', 'PLAN', 'PAYER', 'FROM', 'TO', 'CPT_CODES', 'SOURCE'],
    insuranceData.map((entry: unknown) => [
      textAt(entry, 'plan_info', 'eligibility_status'),
      textAt(entry, 'plan_info', 'plan_name'),
      textAt(entry, 'plan_info', 'payer_name'),
      textAt(entry, 'plan_info', 'start_date'),
      textAt(entry, 'plan_info', 'end_date'),
      listAt(entry, 'plan_info', 'cpt_code_coverage').join(' '),
      textAt(entry, 'verification_source'),
    ]),
  );
}
