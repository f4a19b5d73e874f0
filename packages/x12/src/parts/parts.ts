import type { Period } from './read-parts.ts';

/** The writable form of an object that is being read; callers get the same object read-only. */
export type Growing<T> = { -readonly [K in keyof T]: T[K] };

/** The empty list. Shared: thousands of separate empty lists were most of a long answer's memory. */
export const NONE: readonly never[] = Object.freeze([]);

/** The list with one item more. Only {@link NONE} is shared, so every other list grows in place. */
export function added<T>(list: readonly T[], item: T): readonly T[] {
  if (list.length === 0) return [item];
  (list as T[]).push(item);
  return list;
}

/** NM103 to NM107. */
export interface NameParts {
  readonly last: string;
  readonly first: string | null;
  readonly middle: string | null;
  readonly suffix: string | null;
}

/** N301, N302 and N401 to N403. */
export interface AddressParts {
  readonly lines: readonly string[];
  readonly city: string;
  readonly state: string;
  readonly postalCode: string;
}

/** EQ02 or EB13: a code and its code list. */
export interface Procedure {
  /** `HC` for CPT and HCPCS, `AD` for dental codes. */
  readonly qualifier: string;
  readonly code: string;
  /** Modifiers of the code, at most four. */
  readonly modifiers: readonly string[];
}

/** NM1. */
export interface Party {
  /** NM101: `PR`, `1P`, `IL`, `03`… */
  readonly role: string;
  /** NM102 is 1. */
  readonly isPerson: boolean;
  readonly name: NameParts | null;
  /** NM108. */
  readonly idQualifier: string | null;
  /** NM109. */
  readonly id: string | null;
}

/** TRN. */
export interface Trace {
  /** TRN01: `2` echoes the trace of the inquiry, `1` is the payer's own. */
  readonly type: string;
  /** TRN02. */
  readonly id: string;
  /** TRN03. */
  readonly origin: string | null;
}

/** REF. */
export interface Reference {
  readonly qualifier: string;
  readonly id: string;
  /** REF03: the name of the plan or group. */
  readonly description: string | null;
}

/** DTP. */
export interface DatedPeriod extends Period {
  /** DTP01: `291` plan, `346`/`347` its begin and end, `356`/`357` those of the eligibility, `307` eligibility… */
  readonly qualifier: string;
}

/** A DTP, or the end of one, that is no day of the calendar. Blanks and zeros are no date, and are not among them. */
export interface UnreadDate {
  /** DTP01. */
  readonly qualifier: string;
  /** DTP03 as it was sent. */
  readonly text: string;
}

/** EB13: the code or range of codes that the row answers. */
export interface AnsweredProcedure extends Procedure {
  /** The last code of a range; null for a single code. */
  readonly lastCode: string | null;
}

/** Loop 2120: NM1 with what follows it. */
export interface RelatedEntity extends Party {
  readonly address: AddressParts | null;
  /** PER: telephone numbers, addresses of the web. */
  readonly contacts: readonly Contact[];
  /** PRV03, the taxonomy of a provider. */
  readonly taxonomy: string | null;
}

/** One pair of a PER: its qualifier (`TE`, `UR`, `EM`…) and the number or address. */
export interface Contact {
  readonly qualifier: string;
  readonly value: string;
}

/** HSD: how much of a service is given, and how often. All as it was sent. */
export interface ServiceDelivery {
  /** HSD01: what HSD02 counts, `VS` visits, `DY` days… */
  readonly quantityQualifier: string | null;
  /** HSD02. */
  readonly quantity: string | null;
  /** HSD03. */
  readonly unit: string | null;
  /** HSD04: every so many units. */
  readonly modulus: string | null;
  /** HSD05. */
  readonly timePeriod: string | null;
  /** HSD06. */
  readonly periodCount: string | null;
  /** HSD07. */
  readonly pattern: string | null;
  /** HSD08. */
  readonly patternTime: string | null;
}

/** III. */
export interface ServiceInformation {
  /** III01: `ZZ` a place of service, `BK` and `BF` a diagnosis. */
  readonly qualifier: string | null;
  /** III02. */
  readonly code: string | null;
  /** III03. */
  readonly category: string | null;
  /** III04. */
  readonly text: string | null;
}
