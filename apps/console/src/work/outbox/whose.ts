import type { WorkItem } from '../draft/draft.ts';

/** `J. D. at Payer Plan 1`: enough for the person who typed it, and no name on a page that others may see. */
export function whose({ request }: WorkItem): string {
  const { patient_info: patient, payer_info: payer } = request.input;
  return `${initialsOf(patient.name) ?? 'A patient without a name'} at ${payer.name}`;
}

/** The first letters of the first and of the last word; null for a name without letters. */
export function initialsOf(name: string | null | undefined): string | null {
  const letters = (name ?? '').split(/[\s,]+/).flatMap((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? []);
  const [first] = letters;
  const last = letters.length > 1 ? letters.at(-1) : undefined;
  const shown = [first, last].flatMap((letter) => (letter ? `${letter.toUpperCase()}.` : []));
  return shown.length === 0 ? null : shown.join(' ');
}
