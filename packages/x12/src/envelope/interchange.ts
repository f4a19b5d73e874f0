import type { Delimiters } from '../tokenizing/delimiters.ts';
import type { Segment } from '../tokenizing/segment.ts';
import type { X12Fault } from '../tokenizing/x12-fault.ts';

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
