import type { AddressParts, NameParts, Procedure } from '../parts/parts.ts';

/** The content of one 270 (005010X279A1) for a subscriber. */
export interface EligibilityInquiry {
  /** TRN02 and BHT03, at most 50 characters; the answer echoes it. */
  readonly traceId: string;
  /** TRN03, 10 characters: the issuer of the trace number. */
  readonly traceOrigin: string;
  /** BHT04/05: the time of the inquiry, in UTC. */
  readonly askedAt: Date;
  readonly payer: {
    /** 2100A NM103. */
    readonly name: string;
    /** 2100A NM109, NM108 `PI`. */
    readonly id: string;
  };
  readonly provider: {
    /** 2100B NM102: 1 or 2. */
    readonly isPerson: boolean;
    readonly name: NameParts;
    /** 2100B NM109, NM108 `XX`; null when not given. */
    readonly npi: string | null;
    /** 2100B REF02, REF01 `TJ`; null when not given. */
    readonly tin: string | null;
  };
  readonly subscriber: {
    readonly name: NameParts | null;
    /** 2100C NM109, NM108 `MI`; null when not given. */
    readonly memberId: string | null;
    /** 2100C DMG02 as `YYYY-MM-DD`; null when not known. */
    readonly birthDate: string | null;
    readonly address: AddressParts | null;
  };
  /** 2100C DTP 291 as `YYYY-MM-DD`: the service date asked about. */
  readonly serviceDate: string;
  /** 2110C EQ01. `30` asks about the whole plan. */
  readonly serviceTypes: readonly string[];
  /** 2110C EQ02, one EQ each. */
  readonly procedures: readonly Procedure[];
}
