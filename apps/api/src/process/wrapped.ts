/** Characters of a line: terminals open with 80 columns. */
const WIDTH = 80;

/** A sentence as lines of the greeting, two spaces in, its further lines four. */
export function wrapped(sentence: string): string[] {
  const lines: string[] = [];
  let line = ' ';
  for (const word of sentence.split(' ')) {
    if (line.trim() !== '' && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = '   ';
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}
