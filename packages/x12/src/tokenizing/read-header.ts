/** A parsed ISA segment. */
interface Header {
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
 * The terminator follows ISA16. Some senders put blanks or a line break before it; where only a line break
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

/** The four characters that structure an interchange. Each interchange brings its own in its ISA segment. */
export interface Delimiters {
  /** After `ISA`, position 3. */
  readonly element: string;
  /** ISA16, position 104. */
  readonly component: string;
  /** After ISA16, position 105. A line break when each line is a segment. */
  readonly segment: string;
  /** ISA11, position 82. Null in versions before 00501, where ISA11 holds a letter. */
  readonly repetition: string | null;
}

/** The writer's default. */
export const DEFAULT_DELIMITERS = {
  element: '*',
  component: ':',
  segment: '~',
  repetition: '^',
} as const satisfies Delimiters;

/** One segment as sent. Elements are split up front, components and repetitions on demand: most are never read. */
export interface Segment {
  readonly kind: 'segment';
  /** `ISA`, `NM1`, `EB`… */
  readonly id: string;
  /** As it was sent, without its terminator, and without line breaks inside it. */
  readonly text: string;
  /** Raw elements; the index is the element's number, so `elements[3]` of an NM1 is NM103. `elements[0]` is the id. */
  readonly elements: readonly string[];
  /** Offset of the segment's first character in the text, in UTF-16 code units. */
  readonly position: number;
  /** The delimiters of its interchange. */
  readonly delimiters: Delimiters;
}

/** Element `number`, trimmed; empty when not sent. */
export function elementOf(segment: Segment, number: number): string {
  const text = segment.elements[number];
  return text === undefined ? '' : trimmed(text);
}

/** Element `number`; null when not sent or blank. */
export function valueOf(segment: Segment, number: number): string | null {
  const text = segment.elements[number];
  return text === undefined || text === '' ? null : trimmed(text) || null;
}

/** Element `number`, a code, in capitals: some senders write codes in small letters. Null when not sent or blank. */
export function codeOf(segment: Segment, number: number): string | null {
  const text = valueOf(segment, number);
  return text === null ? null : inCapitals(text);
}

/** Nearly all codes are, and checking costs a tenth of `toUpperCase`. */
export function inCapitals(code: string): string {
  for (let index = 0; index < code.length; index++)
    if (code.charCodeAt(index) > 0x5a) return code.toUpperCase();
  return code;
}

/** The repetitions of element `number`, blanks left out. */
export function repetitionsOf(segment: Segment, number: number): readonly string[] {
  const text = elementOf(segment, number);
  if (text === '') return NOTHING;
  const { repetition } = segment.delimiters;
  if (repetition === null || !text.includes(repetition)) return [text];
  return text
    .split(repetition)
    .map(trimmed)
    .filter((part) => part !== '');
}

/** The components of element `number`; the index is the component's number less one. Empty when it was not sent. */
export function componentsOf(segment: Segment, number: number): readonly string[] {
  const text = elementOf(segment, number);
  return text === '' ? NOTHING : text.split(segment.delimiters.component).map(trimmed);
}

const NOTHING: readonly string[] = Object.freeze([]);

/** Trims blanks. Most elements have none, and checking is cheaper than trimming. */
export function trimmed(text: string): string {
  const first = text.charCodeAt(0);
  const last = text.charCodeAt(text.length - 1);
  const isBare = first > 0x20 && first < 0x7f && last > 0x20 && last < 0x7f;
  return isBare ? text : text.trim();
}
