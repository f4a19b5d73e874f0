import type { Delimiters } from './delimiters.ts';

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
