/** The faults of an X12 text. {@link isWarning} decides which of them leave the rest intact. */
export type X12FaultCode =
  /** The text does not begin with an ISA segment: HTML, JSON, nothing at all. Nothing of it is read. */
  | 'interchange_missing'
  /** Text after an IEA does not begin with an ISA segment. It is not read. */
  | 'text_after_interchange'
  /** The ISA does not end, or its delimiters are letters, digits or each other. */
  | 'delimiters_invalid'
  /** A segment that does not begin with two or three capital letters and digits. It is left out. */
  | 'segment_id_invalid'
  /** A segment longer than {@link SEGMENT_LENGTH_MAX} characters. Nothing after it is read. */
  | 'segment_too_long'
  /** The text ends inside a segment. */
  | 'segment_unterminated'
  /** The SE of an ST is missing: the transaction is truncated. */
  | 'trailer_missing'
  /** The GE or IEA of a GS or ISA is missing. The transactions before it are complete. */
  | 'envelope_unclosed'
  /** SE02, GE02 or IEA02 is not the number of its ST02, GS06 or ISA13. */
  | 'control_number_mismatch'
  /** SE01, GE01 or IEA01 differs from the actual count. */
  | 'count_mismatch'
  /** A segment outside any transaction or group. */
  | 'segment_misplaced';

/** A fault as data: reading never throws. It says where, never what the text was. */
export interface X12Fault {
  readonly kind: 'fault';
  readonly code: X12FaultCode;
  /** Offset in the text, in UTF-16 code units, where the faulty segment begins. */
  readonly position: number;
}

/** The longest segment read. 005010X279A1 defines none over 1,000 characters. */
export const SEGMENT_LENGTH_MAX = 65_536;

const WARNINGS: ReadonlySet<X12FaultCode> = new Set([
  'text_after_interchange',
  'segment_id_invalid', // often a message with the terminator in it
  'segment_misplaced',
  'envelope_unclosed', // a transaction closed by its SE is complete
  'count_mismatch', // senders miscount; a truncated text lacks its trailers
]);

/** Whether the rest is intact despite the fault: a person would read on. */
export function isWarning({ code }: X12Fault): boolean {
  return WARNINGS.has(code);
}

export function faultAt(code: X12FaultCode, position: number): X12Fault {
  return { kind: 'fault', code, position };
}
