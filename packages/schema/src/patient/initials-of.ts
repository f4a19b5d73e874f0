/**
 * The first letters of the first and of the last word of a name, as in `J. D.`: enough for a reader who knows the patient.
 * @returns null for a name without letters, and without a name.
 */
export function initialsOf(name: string | null | undefined): string | null {
  const letters = (name ?? '').split(/[\s,]+/).flatMap((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? []);
  const [first] = letters;
  const last = letters.length > 1 ? letters.at(-1) : undefined;
  const shown = [first, last].flatMap((letter) => (letter ? `${letter.toUpperCase()}.` : []));
  return shown.length === 0 ? null : shown.join(' ');
}
