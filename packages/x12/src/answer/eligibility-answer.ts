import type {
  AddressParts,
  AnsweredProcedure,
  DatedPeriod,
  Party,
  Reference,
  Trace,
} from '../parts/parts.ts';

/** What one 271 transaction (005010X279A1) says, as it was sent. */
export interface EligibilityAnswer {
  /** ST02. */
  readonly controlNumber: string;
  /** BHT03. */
  readonly reference: string | null;
  /** BHT04 as `YYYY-MM-DD`; null when it is not a date. */
  readonly createdDate: string | null;
  /** BHT05 as `HH:MM:SS` in the sender's zone; null when it is not a time. */
  readonly createdTime: string | null;
  /** Loops 2000A. */
  readonly payers: readonly AnsweringPayer[];
}

/** Loop 2000A/2100A: who answers. */
export interface AnsweringPayer {
  readonly party: Party | null;
  readonly rejections: readonly Rejection[];
  readonly providers: readonly AskingProvider[];
}

/** Loop 2000B/2100B: who asked. */
export interface AskingProvider {
  readonly party: Party | null;
  readonly references: readonly Reference[];
  readonly rejections: readonly Rejection[];
  readonly subscribers: readonly Subscriber[];
}

/** Loop 2000C/2100C. */
export interface Subscriber extends Member {
  /** Loops 2000D below it. */
  readonly dependents: readonly Member[];
}

/** What loops 2000C and 2000D have in common. */
export interface Member {
  readonly traces: readonly Trace[];
  readonly party: Party | null;
  readonly references: readonly Reference[];
  readonly address: AddressParts | null;
  /** DMG02 as `YYYY-MM-DD`; null when not sent. */
  readonly birthDate: string | null;
  /** DMG03. */
  readonly gender: string | null;
  /** DTP of loop 2100. */
  readonly dates: readonly DatedPeriod[];
  /** MSG01 before the first EB. */
  readonly messages: readonly string[];
  /** AAA of loop 2100. */
  readonly rejections: readonly Rejection[];
  /** Loops 2110, one per EB. */
  readonly benefits: readonly Benefit[];
}

/** Where an AAA stood. */
export type RejectionLevel = 'payer' | 'provider' | 'subscriber' | 'dependent' | 'benefit';

/** AAA. */
export interface Rejection {
  readonly level: RejectionLevel;
  /** AAA03. */
  readonly code: string;
  /** AAA04. Do not trust it: intermediaries send `N` during outages. */
  readonly followUp: string | null;
}

/** Loop 2110 with its loops 2120. */
export interface Benefit {
  /** EB01, in capitals. */
  readonly code: string;
  /** EB02. */
  readonly coverageLevel: string | null;
  /** EB03, all of its repetitions. */
  readonly serviceTypes: readonly string[];
  /** EB04. */
  readonly insuranceType: string | null;
  /** EB05. */
  readonly planName: string | null;
  /** EB06. */
  readonly timePeriod: string | null;
  /** EB07, a decimal number as it was sent. */
  readonly amount: string | null;
  /** EB08, a decimal fraction as it was sent. */
  readonly percent: string | null;
  /** EB11. */
  readonly authorisation: string | null;
  /** EB12: `Y`, `N`, `U`, `W`. */
  readonly inNetwork: string | null;
  /** EB13. The standard allows one; some senders repeat it. */
  readonly procedures: readonly AnsweredProcedure[];
  readonly references: readonly Reference[];
  readonly dates: readonly DatedPeriod[];
  /** MSG01. */
  readonly messages: readonly string[];
  readonly rejections: readonly Rejection[];
  /** NM1 of loops 2120: other payers, facilities, primary care providers. */
  readonly entities: readonly Party[];
}
