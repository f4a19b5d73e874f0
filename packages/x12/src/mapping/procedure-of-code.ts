import type { Procedure } from '../inquiry/eligibility-inquiry.ts';

const DENTAL = /^D\d{4}$/;
/** CPT of categories I to III and PLA, and HCPCS level II. */
const MEDICAL = /^(\d{5}|\d{4}[FTU]|[A-V]\d{4})$/;

/** The code as EQ02 asks for it: `AD` for dental codes, `HC` for CPT and HCPCS. Null when it has neither shape. */
export function procedureOfCode(text: string): Procedure | null {
  const code = text.trim().toUpperCase();
  if (DENTAL.test(code)) return { qualifier: 'AD', code };
  return MEDICAL.test(code) ? { qualifier: 'HC', code } : null;
}
