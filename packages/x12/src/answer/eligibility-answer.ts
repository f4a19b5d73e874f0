import type {
  AddressParts,
  AnsweredProcedure,
  DatedPeriod,
  Party,
  Reference,
  RelatedEntity,
  ServiceDelivery,
  ServiceInformation,
  Trace,
  UnreadDate,
} from '../parts/parts.ts';
import type { Segment } from '../tokenizing/read-header.ts';

/**
 * A loop of an answer. No element of a 271 is lost: the segments of all loops and of the answer itself, in the order of
 * their positions, are what is between ST and SE.
 */
export interface Loop {
  /** The segments of this loop, without those of the loops below it. */
  readonly segments: readonly Segment[];
}

/** One 271 transaction (005010X279A1), as it was sent. Its own segments are BHT and those that no loop takes. */
export interface EligibilityAnswer extends Loop {
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
export interface AnsweringPayer extends Loop {
  readonly party: Party | null;
  readonly rejections: readonly Rejection[];
  readonly providers: readonly AskingProvider[];
}

/** Loop 2000B/2100B: who asked. */
export interface AskingProvider extends Loop {
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
export interface Member extends Loop {
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
  readonly unreadDates: readonly UnreadDate[];
  /** MSG01 before the first EB. */
  readonly messages: readonly string[];
  /** AAA of loop 2100. */
  readonly rejections: readonly Rejection[];
  /** Loops 2110, one per EB. */
  readonly benefits: readonly Benefit[];
}

/** The loop of an AAA. */
export type RejectionLevel = 'payer' | 'provider' | 'subscriber' | 'dependent' | 'benefit';

/** AAA. */
export interface Rejection {
  readonly level: RejectionLevel;
  /** AAA03, in capitals. */
  readonly code: string;
  /** AAA04. Do not trust it: intermediaries send `N` during outages. */
  readonly followUp: string | null;
}

/** Loop 2110 with its loops 2120. */
export interface Benefit extends Loop {
  /** EB01. This and the other codes of the loop are in capitals. */
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
  /** EB09: what is counted in EB10. `S7` and `S8` are ages. */
  readonly quantityQualifier: string | null;
  /** EB10, a decimal number as it was sent. */
  readonly quantity: string | null;
  /** EB11: `Y`, `N`, `U`. */
  readonly authorisation: string | null;
  /** EB12: `Y`, `N`, `U`, `W`. */
  readonly inNetwork: string | null;
  /** EB13. The standard allows one; some senders repeat it. */
  readonly procedures: readonly AnsweredProcedure[];
  /** EB14: the diagnoses of the inquiry that the row answers, as it was sent. */
  readonly diagnosisPointers: string | null;
  /** HSD. */
  readonly deliveries: readonly ServiceDelivery[];
  /** III: where the service is given, and for what. */
  readonly information: readonly ServiceInformation[];
  readonly references: readonly Reference[];
  readonly dates: readonly DatedPeriod[];
  readonly unreadDates: readonly UnreadDate[];
  /** MSG01. */
  readonly messages: readonly string[];
  readonly rejections: readonly Rejection[];
  /** Loops 2120: other payers, facilities, primary care providers. */
  readonly entities: readonly RelatedEntity[];
}
