/** Characters of an ISA segment, whose width is fixed; the next one ends each segment. */
const ISA_LENGTH = 105;

/** An interchange, one segment a line, each with its terminator; any other text in its own lines. */
export function segmentsOf(text: string): string[] {
  const terminator = text.startsWith('ISA') ? text.charAt(ISA_LENGTH) : '';
  if (terminator.trim() === '') return text.split(/\r?\n/);
  return text
    .split(terminator)
    .map((segment) => segment.trim())
    .filter((segment) => segment !== '')
    .map((segment) => segment + terminator);
}
