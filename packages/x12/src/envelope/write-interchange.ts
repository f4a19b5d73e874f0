import { DEFAULT_DELIMITERS, type Delimiters } from '../tokenizing/read-header.ts';

/** An element to write: a text, a list of components, or nothing. */
export type ElementValue = string | readonly string[] | null | undefined;

/** A segment to write: its id and elements. */
export type SegmentValue = readonly [id: string, ...elements: ElementValue[]];

/** The sender, the receiver, and the numbers that identify the message. */
export interface EnvelopeOptions {
  /** ISA05 and ISA06; GS02 too. */
  readonly sender: { readonly qualifier: string; readonly id: string };
  /** ISA07 and ISA08; GS03 too. */
  readonly receiver: { readonly qualifier: string; readonly id: string };
  /** ISA13 and GS06, 1 to 999,999,999: unique between the two as long as either may ask about it. */
  readonly controlNumber: number;
  /** ISA09/10, GS04/05: when the message is written, in UTC. */
  readonly writtenAt: Date;
  /** ISA15: no receiver may act on an interchange marked `T`. */
  readonly usage: 'P' | 'T';
  readonly delimiters?: Delimiters;
}

/** The content of one group. */
export interface GroupContent {
  /** GS01. */
  readonly groupId: string;
  /** ST01. */
  readonly transactionId: string;
  /** GS08 and ST03. */
  readonly version: string;
  /** The segments between ST and SE. */
  readonly segments: readonly SegmentValue[];
}

/**
 * Writes one transaction in its envelope, ISA to IEA, with counts and control numbers. Values are cleaned, so no outside
 * text can end an element; trailing empty elements are left out.
 */
export function writeInterchange(options: EnvelopeOptions, content: GroupContent): string {
  const { sender, receiver, controlNumber, writtenAt, usage } = options;
  const delimiters = options.delimiters ?? DEFAULT_DELIMITERS;
  const { date, time } = dateAndTime(writtenAt);
  const number = String(controlNumber);
  const padded = number.padStart(9, '0');
  const body: SegmentValue[] = [
    ['ST', content.transactionId, '0001', content.version],
    ...content.segments,
    ['SE', String(content.segments.length + 2), '0001'],
  ];
  const segments: SegmentValue[] = [
    ['GS', content.groupId, sender.id, receiver.id, date, time, number, 'X', content.version],
    ...body,
    ['GE', '1', number],
    ['IEA', '1', padded],
  ];
  const fixed = (text: string, length: number) => cleanText(text, delimiters).slice(0, length).padEnd(length);
  // The only fixed-width segment: its blanks are data, and its last element is a delimiter.
  const header = [
    'ISA',
    '00',
    fixed('', 10),
    '00',
    fixed('', 10),
    fixed(sender.qualifier, 2),
    fixed(sender.id, 15),
    fixed(receiver.qualifier, 2),
    fixed(receiver.id, 15),
    date.slice(2),
    time,
    delimiters.repetition ?? 'U',
    delimiters.repetition === null ? '00401' : '00501',
    padded,
    '0',
    usage,
    delimiters.component,
  ].join(delimiters.element);
  return [header, ...segments.map((segment) => writeSegment(segment, delimiters)), ''].join(
    delimiters.segment,
  );
}

function writeSegment([id, ...values]: SegmentValue, delimiters: Delimiters): string {
  const elements = values.map((value) =>
    typeof value === 'string'
      ? cleanText(value, delimiters)
      : withoutTail((value ?? []).map((part) => cleanText(part, delimiters))).join(delimiters.component),
  );
  return [id, ...withoutTail(elements)].join(delimiters.element);
}

function withoutTail(texts: readonly string[]): readonly string[] {
  return texts.slice(0, texts.findLastIndex((text) => text !== '') + 1);
}

/** `CCYYMMDD` and `HHMM`, in UTC. */
export function dateAndTime(at: Date): { date: string; time: string } {
  const digits = at.toISOString().replaceAll(/\D/g, '');
  return { date: digits.slice(0, 8), time: digits.slice(8, 12) };
}

/** Letters that Unicode does not decompose, as payers' records spell them. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  ı: 'i',
  '‘': "'",
  '’': "'",
  '–': '-',
  '—': '-',
};

/**
 * Makes a text fit for an element: printable ASCII, letters without diacritics, no delimiter, so that no value can
 * end its element. What has no such form becomes a blank; blanks are collapsed and trimmed.
 */
export function cleanText(text: string, delimiters: Delimiters): string {
  if (isClean(text, delimiters)) return text;
  let clean = '';
  for (const char of text.normalize('NFKD')) {
    const plain = PLAIN[char] ?? char;
    if (/\p{Mn}/u.test(plain)) continue;
    const isDelimiter = Object.values(delimiters).includes(plain);
    clean += isDelimiter || !/^[ -~]+$/.test(plain) ? ' ' : plain;
  }
  return clean.replaceAll(/ +/g, ' ').trim();
}

/** Nearly all texts are clean already, and checking costs a tenth of cleaning. */
function isClean(text: string, { element, component, segment, repetition }: Delimiters): boolean {
  if (!/^(?:[!-~]+(?: [!-~]+)*)?$/.test(text)) return false;
  const holds = (delimiter: string | null) => delimiter !== null && text.includes(delimiter);
  return !holds(element) && !holds(component) && !holds(segment) && !holds(repetition);
}
