import {
  type Delimiters,
  HEADER_LENGTH_MAX,
  isHeaderId,
  readHeader,
  type Segment,
  trimmed,
  withoutBreaks,
} from './read-header.ts';
import { faultAt, SEGMENT_LENGTH_MAX, type X12Fault } from './x12-fault.ts';

/** Splits a text that arrives in pieces. Never throws, whatever the text. */
export interface Tokenizer {
  /** Takes the next piece and returns the segments and faults it completes, in order. */
  push(text: string): (Segment | X12Fault)[];
  /** Ends the text and returns what was still open. */
  end(): (Segment | X12Fault)[];
  /** Characters examined so far; linear in what was pushed. */
  readonly scannedCount: number;
}

/**
 * A tokenizer for one text with any number of interchanges, each with its own delimiters. Line breaks are no part of
 * the data, in any place, unless they end the segments; blanks around segments are dropped; an IEA at the end
 * may lack its terminator. At most one segment is kept between pieces.
 *
 *     header  --ISA read-->        segments
 *     header  --no ISA, or bad-->  stopped
 *     segments --IEA-->            header
 *     segments --ISA-->            header, at that ISA: its predecessor was cut
 *     segments --too long-->       stopped
 */
export function createTokenizer(): Tokenizer {
  let dialect: Dialect | null = null;
  let stopped = false;
  let sawAny = false;
  // Pushed but not consumed. Pieces are joined once a terminator arrives, so many small ones cost no more.
  let pieces: string[] = [];
  let pendingLength = 0;
  let position = 0;
  // A getter would cost as much as three segments.
  const tokenizer = { push, end, scannedCount: 0 };

  function push(text: string): (Segment | X12Fault)[] {
    if (stopped || text === '') return [];
    const mayBeWhole =
      dialect === null
        ? pendingLength + text.length >= HEADER_LENGTH_MAX
        : text.includes(dialect.delimiters.segment);
    tokenizer.scannedCount += text.length;
    pieces.push(text);
    pendingLength += text.length;
    if (mayBeWhole) return drain(false);
    if (pendingLength <= SEGMENT_LENGTH_MAX) return [];
    stopped = true;
    pieces = [];
    return [faultAt('segment_too_long', position)];
  }

  function end(): (Segment | X12Fault)[] {
    if (stopped) return [];
    const tokens = drain(true);
    stopped = true;
    pieces = [];
    return tokens;
  }

  /** Consumes the complete part of the pending text; all of it with `isEnd`. */
  function drain(isEnd: boolean): (Segment | X12Fault)[] {
    const text = pieces.length === 1 ? (pieces[0] ?? '') : pieces.join('');
    const hasBreaks = text.includes('\n') || text.includes('\r');
    const tokens: (Segment | X12Fault)[] = [];
    let index = 0;
    while (!stopped) {
      if (dialect === null) {
        const start = skipBlanks(text, index, null);
        tokenizer.scannedCount += start - index;
        if (start === text.length) {
          if (isEnd && !sawAny) tokens.push(faultAt('interchange_missing', position + start));
          index = start;
          break;
        }
        if (!isEnd && text.length - start < HEADER_LENGTH_MAX) {
          index = start;
          break;
        }
        const header = readHeader(text, start);
        if (header === null) {
          const absent = sawAny ? 'text_after_interchange' : 'interchange_missing';
          sawAny = true;
          tokens.push(faultAt(isHeaderId(text, start) ? 'delimiters_invalid' : absent, position + start));
          stopped = true;
          break;
        }
        sawAny = true;
        dialect = dialectOf(header.delimiters, text.startsWith('isa', start));
        tokenizer.scannedCount += header.end - start;
        index = header.end;
        tokens.push({
          kind: 'segment',
          id: 'ISA',
          text: header.text,
          elements: header.elements,
          position: position + start,
          delimiters: header.delimiters,
        });
        continue;
      }
      const { delimiters } = dialect;
      const terminator = text.indexOf(delimiters.segment, index);
      const segmentEnd = terminator === -1 ? text.length : terminator;
      tokenizer.scannedCount += segmentEnd - index;
      if (segmentEnd - index > SEGMENT_LENGTH_MAX) {
        tokens.push(faultAt('segment_too_long', position + index));
        stopped = true;
        break;
      }
      if (terminator === -1 && !isEnd) break;
      const start = skipBlanks(text, index, delimiters);
      if (start >= segmentEnd) {
        if (terminator === -1) break;
        index = terminator + 1;
        continue;
      }
      if (startsWithHeader(text, start, delimiters.element)) {
        dialect = null;
        index = start;
        continue;
      }
      const raw = text.slice(start, segmentEnd);
      const own = hasBreaks && !dialect.isByLine ? withoutBreaks(raw) : raw;
      const elements =
        own === raw
          ? elementsOf(text, delimiters.element, start, segmentEnd)
          : elementsOf(own, delimiters.element);
      const id = idOf(elements[0] ?? '', dialect);
      const isEndOfAll = id === 'IEA';
      if (terminator === -1 && !isEndOfAll) tokens.push(faultAt('segment_unterminated', position + start));
      else if (id === null) tokens.push(faultAt('segment_id_invalid', position + start));
      else tokens.push({ kind: 'segment', id, text: own, elements, position: position + start, delimiters });
      index = terminator === -1 ? text.length : terminator + 1;
      if (isEndOfAll) dialect = null;
    }
    const rest = text.slice(index);
    position += index;
    pendingLength = rest.length;
    pieces = rest === '' ? [] : [rest];
    return tokens;
  }

  return tokenizer;
}

/** The syntax of the current interchange. */
interface Dialect {
  readonly delimiters: Delimiters;
  /** Some gateways lowercase everything. Lowercase ids are read only then; elsewhere they belong to a message. */
  readonly isSmall: boolean;
  /** Line breaks end the segments, so none is inside one. */
  readonly isByLine: boolean;
}

function dialectOf(delimiters: Delimiters, isSmall: boolean): Dialect {
  const isByLine = delimiters.segment === '\n' || delimiters.segment === '\r';
  return { delimiters, isSmall, isByLine };
}

/**
 * The elements between two offsets. An eighth of all that a 271 takes: `split` takes twice as long, `push` and cutting the
 * segment out first half as long again.
 */
function elementsOf(text: string, separator: string, from = 0, to = text.length): string[] {
  const code = separator.charCodeAt(0);
  const elements: string[] = [];
  let start = from;
  for (let index = from; index < to; index++) {
    if (text.charCodeAt(index) !== code) continue;
    elements[elements.length] = index === start ? '' : text.slice(start, index);
    start = index + 1;
  }
  elements[elements.length] = text.slice(start, to);
  return elements;
}

/** The id as it is known; null for any other. */
function idOf(written: string, { isSmall }: Dialect): string | null {
  const bare = trimmed(written);
  const id = isSmall ? bare.toUpperCase() : bare;
  return isId(id) ? id : null;
}

/** Two or three capitals and digits, a capital first. By hand: each segment has one. */
function isId(text: string): boolean {
  if (text.length < 2 || text.length > 3) return false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const isCapital = code >= 0x41 && code <= 0x5a;
    if (!isCapital && (index === 0 || code < 0x30 || code > 0x39)) return false;
  }
  return true;
}

function startsWithHeader(text: string, start: number, element: string): boolean {
  return text.charAt(start + 3) === element && isHeaderId(text, start);
}

/** Skips blanks, control characters and byte order marks that are not delimiters. */
function skipBlanks(text: string, from: number, delimiters: Delimiters | null): number {
  let index = from;
  for (; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 0x20 && code !== 0xfeff) break;
    const char = text.charAt(index);
    if (delimiters !== null && (char === delimiters.element || char === delimiters.segment)) break;
  }
  return index;
}

/** The segments and faults of a whole text, in order. Never throws. */
export function tokenize(text: string): (Segment | X12Fault)[] {
  const tokenizer = createTokenizer();
  const tokens = tokenizer.push(text);
  for (const token of tokenizer.end()) tokens.push(token);
  return tokens;
}

/**
 * The segments and faults of a text that arrives in pieces, as they complete. Bytes are read as UTF-8. Throws
 * nothing of its own; an error of `chunks` passes through.
 */
export async function* tokenizeStream(
  chunks: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
): AsyncGenerator<Segment | X12Fault> {
  const tokenizer = createTokenizer();
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    yield* tokenizer.push(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
  }
  yield* tokenizer.push(decoder.decode());
  yield* tokenizer.end();
}
