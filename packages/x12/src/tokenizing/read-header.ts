import type { Delimiters } from './delimiters.ts';

/** A parsed ISA segment. */
export interface Header {
  /** Without its terminator, and without line breaks inside it. */
  readonly text: string;
  readonly elements: readonly string[];
  readonly delimiters: Delimiters;
  /** Offset of the first character after the segment terminator. */
  readonly end: number;
}

/** An ISA has 106 characters; this leaves room for wide padding and broken lines. */
export const HEADER_LENGTH_MAX = 1_024;

const ELEMENT_COUNT = 16;

/**
 * Reads the ISA at `start` and the delimiters from it. In a conforming ISA they are at positions 3, 82, 104 and 105;
 * counting the element separators finds the same ones, and also those of a header whose padding was trimmed or whose
 * lines are broken. Null without one.
 */
export function readHeader(text: string, start: number): Header | null {
  const element = text.charAt(start + 3);
  if (!isHeaderId(text, start) || !mayDelimit(element) || element === ' ') return null;
  const limit = Math.min(text.length, start + HEADER_LENGTH_MAX);

  let elements = ['ISA'];
  let from = start + 4;
  let index = from;
  for (; index < limit && elements.length < ELEMENT_COUNT; index++) {
    if (text.charAt(index) !== element) continue;
    elements.push(text.slice(from, index));
    from = index + 1;
  }
  while (index < limit && isLineBreak(text.charAt(index))) index++;
  const component = text.charAt(index);
  if (index >= limit || elements.length < ELEMENT_COUNT || !mayDelimit(component)) return null;
  elements.push(component);
  const sent = `ISA${text.slice(start + 3, index + 1)}`;
  const own = withoutBreaks(sent);
  if (own !== sent) elements = elements.map(withoutBreaks);

  const terminator = readTerminator(text, index + 1, limit);
  if (terminator === null || terminator.char === element || terminator.char === component) return null;
  if (element === component) return null;
  const { char: segment, end } = terminator;
  const standard = elements[11] ?? '';
  const isFree = standard.length === 1 && mayDelimit(standard) && standard !== ' ';
  const repetition = isFree && ![element, component, segment].includes(standard) ? standard : null;
  return { text: own, elements, delimiters: { element, component, segment, repetition }, end };
}

/** Whether `ISA`, in capitals or small letters, is at `start`. */
export function isHeaderId(text: string, start: number): boolean {
  return text.startsWith('ISA', start) || text.startsWith('isa', start);
}

/**
 * The terminator is what follows ISA16. Some senders put blanks or a line break before it; where only a line break
 * is between ISA16 and the next segment, that is the terminator.
 */
function readTerminator(text: string, start: number, limit: number): { char: string; end: number } | null {
  let index = start;
  let lineBreak = '';
  while (index < limit && isBlank(text.charAt(index))) {
    const char = text.charAt(index);
    if (char === '\n' || (char === '\r' && lineBreak === '')) lineBreak = char;
    index++;
  }
  const char = text.charAt(index);
  if (index < limit && mayDelimit(char)) return { char, end: index + 1 };
  return lineBreak === '' ? null : { char: lineBreak, end: index };
}

/** A delimiter is never a letter or digit of any script, nor half of a surrogate pair. */
function mayDelimit(char: string): boolean {
  return char !== '' && !/[\p{L}\p{N}\p{Cs}\r\n]/u.test(char);
}

/** Without line breaks, which are no part of the data. */
export function withoutBreaks(text: string): string {
  return text.includes('\n') || text.includes('\r') ? text.replaceAll(/[\r\n]/g, '') : text;
}

function isLineBreak(char: string): boolean {
  return char === '\r' || char === '\n';
}

function isBlank(char: string): boolean {
  return char === ' ' || char === '\t' || isLineBreak(char);
}
