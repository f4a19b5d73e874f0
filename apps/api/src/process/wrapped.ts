/** Characters per line: terminals open with 80 columns. */
const WIDTH = 80;

/** Wraps a sentence for the greeting: the first line indented by two spaces, further lines by four. */
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
