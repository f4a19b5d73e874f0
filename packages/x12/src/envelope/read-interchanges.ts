import { createTokenizer } from '../tokenizing/create-tokenizer.ts';
import { type Delimiters, elementOf, type Segment } from '../tokenizing/read-header.ts';
import { faultAt, type X12Fault, type X12FaultCode } from '../tokenizing/x12-fault.ts';

interface Open<T> {
  readonly value: T;
  readonly header: Segment;
}
type OpenTransaction = Open<Transaction & { segments: Segment[] }> & {
  readonly taker: SegmentTaker;
  /** Segments between ST and SE so far. */
  count: number;
};
type OpenGroup = Open<FunctionalGroup & { transactions: Transaction[] }> & { readonly version: string };
type OpenInterchange = Open<Interchange & { groups: FunctionalGroup[]; acknowledgements: Segment[] }>;

/**
 * Reads the envelopes of a text: interchanges, groups, transactions. Never throws. What a truncated or misnumbered text
 * still holds is returned with its faults.
 */
export function readInterchanges(text: string): Interchanges {
  return readEnvelopes(text, ({ segments }) => ({ add: (segment) => void segments.push(segment) }));
}

/** Consumes the segments of one transaction. */
export interface SegmentTaker {
  add(segment: Segment): void;
}

/** Chooses the consumer of a new transaction. Its `segments` stay with the envelope. */
type Begin = (transaction: Transaction & { readonly segments: Segment[] }) => SegmentTaker;

/** Characters tokenized at once, mostly a whole answer: the segments of a piece are consumed before the next. */
const PIECE_LENGTH = 16_384;

/** Like {@link readInterchanges}, with transactions filled by `begin`. */
export function readEnvelopes(text: string, begin: Begin): Interchanges {
  const interchanges: Interchange[] = [];
  const faults: X12Fault[] = [];
  let interchange: OpenInterchange | null = null;
  let group: OpenGroup | null = null;
  let transaction: OpenTransaction | null = null;
  let end = 0;

  const fault = (code: X12FaultCode, position: number) => void faults.push(faultAt(code, position));
  /** Checks a trailer against its header. */
  const close = (open: Open<{ controlNumber: string }> | null, trailer: Segment, count: number) => {
    if (open === null) return fault('segment_misplaced', trailer.position);
    if (!isSameNumber(elementOf(trailer, 2), open.value.controlNumber))
      fault('control_number_mismatch', trailer.position);
    if (!isSameNumber(elementOf(trailer, 1), String(count))) fault('count_mismatch', trailer.position);
  };
  /** Whatever is still open when its parent ends was truncated. */
  const cut = (open: Open<Transaction> | null) => {
    if (open !== null) fault('trailer_missing', open.header.position);
  };
  const leave = (open: Open<unknown> | null) => {
    if (open !== null) fault('envelope_unclosed', open.header.position);
  };

  const take = (token: Segment | X12Fault) => {
    if (token.kind === 'fault') {
      const isPastAll = token.code === 'segment_unterminated' && transaction === null;
      faults.push(isPastAll ? faultAt('envelope_unclosed', token.position) : token);
      return;
    }
    end = token.position;
    switch (token.id) {
      case 'ISA':
        cut(transaction);
        leave(group);
        leave(interchange);
        group = transaction = null;
        interchange = openInterchange(token);
        interchanges.push(interchange.value);
        break;
      case 'GS':
        cut(transaction);
        leave(group);
        transaction = null;
        group = openGroup(token);
        interchange?.value.groups.push(group.value);
        break;
      case 'ST':
        cut(transaction);
        transaction = openTransaction(token, group?.version ?? '', begin);
        if (group === null) fault('segment_misplaced', token.position);
        else group.value.transactions.push(transaction.value);
        break;
      case 'SE':
        close(transaction, token, (transaction?.count ?? 0) + 2);
        transaction = null;
        break;
      case 'GE':
        cut(transaction);
        transaction = null;
        close(group, token, group?.value.transactions.length ?? 0);
        group = null;
        break;
      case 'IEA':
        cut(transaction);
        leave(group);
        transaction = group = null;
        close(interchange, token, interchange?.value.groups.length ?? 0);
        interchange = null;
        break;
      default:
        if (transaction) {
          transaction.count += 1;
          transaction.taker.add(token);
        } else if (token.id === 'TA1' && interchange && !group)
          interchange.value.acknowledgements.push(token);
        else fault('segment_misplaced', token.position);
    }
  };
  const tokenizer = createTokenizer();
  for (let start = 0; start < text.length; start += PIECE_LENGTH)
    for (const token of tokenizer.push(text.slice(start, start + PIECE_LENGTH))) take(token);
  for (const token of tokenizer.end()) take(token);
  cut(transaction);
  leave(group);
  leave(interchange);
  if (interchanges.length === 0 && faults.length === 0) fault('interchange_missing', end);
  return { interchanges, faults };
}

function openInterchange(header: Segment): OpenInterchange {
  const value = {
    senderId: elementOf(header, 6),
    receiverId: elementOf(header, 8),
    controlNumber: elementOf(header, 13),
    usage: elementOf(header, 15),
    delimiters: header.delimiters,
    groups: [],
    acknowledgements: [],
  };
  return { value, header };
}

function openGroup(header: Segment): OpenGroup {
  const value = { id: elementOf(header, 1), controlNumber: elementOf(header, 6), transactions: [] };
  return { value, header, version: elementOf(header, 8) };
}

function openTransaction(header: Segment, groupVersion: string, begin: Begin): OpenTransaction {
  const value: Transaction & { segments: Segment[] } = {
    id: elementOf(header, 1),
    controlNumber: elementOf(header, 2),
    version: elementOf(header, 3) || groupVersion,
    segments: [],
  };
  return { value, header, taker: begin(value), count: 0 };
}

/** Some senders pad numbers with zeros. */
function isSameNumber(one: string, other: string): boolean {
  return one === other || withoutZeros(one) === withoutZeros(other);
}

function withoutZeros(text: string): string {
  return text.startsWith('0') ? text.replace(/^0+(?=.)/, '') : text;
}

/** One transaction set, ST to SE. */
export interface Transaction {
  /** ST01: `270`, `271`, `999`… */
  readonly id: string;
  /** ST02. */
  readonly controlNumber: string;
  /** ST03, else GS08: `005010X279A1`. */
  readonly version: string;
  /** The segments between ST and SE. */
  readonly segments: readonly Segment[];
}

/** One functional group, GS to GE. */
export interface FunctionalGroup {
  /** GS01: `HS` holds inquiries (270), `HB` their answers (271), `FA` acknowledgements (999). */
  readonly id: string;
  /** GS06. */
  readonly controlNumber: string;
  readonly transactions: readonly Transaction[];
}

/** One interchange, ISA to IEA. */
export interface Interchange {
  /** ISA06, without its padding. */
  readonly senderId: string;
  /** ISA08, without its padding. */
  readonly receiverId: string;
  /** ISA13. */
  readonly controlNumber: string;
  /** ISA15: `P` production, `T` test. */
  readonly usage: string;
  readonly delimiters: Delimiters;
  readonly groups: readonly FunctionalGroup[];
  /** TA1 segments, which are outside groups. */
  readonly acknowledgements: readonly Segment[];
}

/** The interchanges of a text, and its faults. */
export interface Interchanges {
  readonly interchanges: readonly Interchange[];
  readonly faults: readonly X12Fault[];
}
