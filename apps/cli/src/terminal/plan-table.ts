import { type Block, table } from './table.ts';

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

/** The value at a path of keys in JSON of unknown shape; undefined when absent. */
function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inside, key) =>
      typeof inside === 'object' && inside !== null && Object.hasOwn(inside, key)
        ? (inside as Record<string, unknown>)[key]
        : undefined,
    value,
  );
}

/** The text at a path; null when absent. */
export function textAt(value: unknown, ...path: string[]): string | null {
  const found = valueAt(value, path);
  return typeof found === 'string' ? found : null;
}

/** The texts of the list at a path; empty when absent. */
function listAt(value: unknown, ...path: string[]): string[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found.filter((entry) => typeof entry === 'string') : [];
}
