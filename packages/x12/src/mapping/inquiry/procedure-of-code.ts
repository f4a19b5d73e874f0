import type { AnsweredProcedure, Procedure } from '../../parts/parts.ts';

/** What follows a dental code is a tooth or a surface, never a modifier. */
const DENTAL = /^D\d{4}$/;
/** CPT of categories I to III and PLA, and HCPCS level II, with up to four modifiers: `99213-25`, `99213:25`, `99213 25 59`. */
const MEDICAL = /^(\d{5}|\d{4}[FTU]|[A-CE-V]\d{4})((?:[\s:,-]+[A-Z\d]{2}){0,4})$/;

const CODE_LENGTH_MAX = 40;

/** The code as EQ02 writes it: `AD` for dental codes, `HC` for CPT and HCPCS. Null when it has neither shape. */
export function procedureOfCode(text: string): Procedure | null {
  if (text.length > CODE_LENGTH_MAX) return null;
  const trimmed = text.trim().toUpperCase();
  if (DENTAL.test(trimmed)) return { qualifier: 'AD', code: trimmed, modifiers: [] };
  const [, code, behind = ''] = MEDICAL.exec(trimmed) ?? [];
  return code === undefined ? null : { qualifier: 'HC', code, modifiers: behind.match(/[A-Z\d]{2}/g) ?? [] };
}

/** A code with its modifiers, `99213-25`, or a range of codes, `70540–70559`. */
export function procedureText({
  code,
  lastCode,
  modifiers,
}: Pick<AnsweredProcedure, 'code' | 'lastCode' | 'modifiers'>): string {
  const text = [code, ...modifiers].join('-');
  return lastCode === null ? text : `${text}–${lastCode}`;
}
