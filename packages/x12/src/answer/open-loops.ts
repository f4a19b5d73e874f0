import { added, type Growing, NONE } from '../parts/parts.ts';
import { readProcedures } from '../parts/read-parts.ts';
import {
  codeOf,
  elementOf,
  inCapitals,
  repetitionsOf,
  type Segment,
  valueOf,
} from '../tokenizing/read-header.ts';
import type {
  AnsweringPayer,
  AskingProvider,
  Benefit,
  EligibilityAnswer,
  Member,
  RejectionLevel,
  Subscriber,
} from './eligibility-answer.ts';

type Level = Growing<AnsweringPayer> | Growing<AskingProvider> | Growing<Member>;
type LevelName = Exclude<RejectionLevel, 'benefit'>;

/** HL03, the level of the loops 2000A to 2000D. */
const LEVELS: ReadonlyMap<string, LevelName> = new Map<string, LevelName>(
  Object.entries({
    20: 'payer',
    21: 'provider',
    22: 'subscriber',
    23: 'dependent',
  } as const),
);

/** NM101 that identifies a level whose HL was not sent. */
const LEVEL_OF_ROLE: ReadonlyMap<string, Exclude<LevelName, 'dependent'>> = new Map<
  string,
  Exclude<LevelName, 'dependent'>
>(
  Object.entries({
    PR: 'payer',
    '1P': 'provider',
    IL: 'subscriber',
  } as const),
);

/** The depth of a level. */
const DEPTHS: Readonly<Record<LevelName, number>> = {
  payer: 0,
  provider: 1,
  subscriber: 2,
  dependent: 3,
};

/** A member without any data. */
export const NOBODY: Member = {
  traces: NONE,
  party: null,
  references: NONE,
  address: null,
  birthDate: null,
  gender: null,
  dates: NONE,
  unreadDates: NONE,
  messages: NONE,
  rejections: NONE,
  benefits: NONE,
  segments: NONE,
};

/** The loops 2000A to 2000D that are open while a 271 is read. A level whose parent was not sent gets an empty one. */
export class OpenLoops {
  readonly #answer: Growing<EligibilityAnswer>;
  #payer: Growing<AnsweringPayer> | null = null;
  #provider: Growing<AskingProvider> | null = null;
  #subscriber: Growing<Subscriber> | null = null;
  /** The latest subscriber's HL. Earlier ones, which are rare, are in `#earlierByHl`. */
  #numbered: { readonly hl: string; readonly subscriber: Growing<Subscriber> } | null = null;
  #earlierByHl: Map<string, Growing<Subscriber>> | null = null;
  #level: LevelName = 'payer';
  #node: Level | null = null;
  #member: Growing<Member> | null = null;

  constructor(answer: Growing<EligibilityAnswer>) {
    this.#answer = answer;
  }

  /** The innermost level. */
  get level(): LevelName {
    return this.#level;
  }

  /** The innermost loop; null before the first, and at a level with an unknown HL03. */
  get node(): Level | null {
    return this.#node;
  }

  /** The innermost loop if it is a subscriber or dependent. */
  get member(): Growing<Member> | null {
    return this.#member;
  }

  /** Opens the level of an HL. */
  open(hl: Segment): Level | null {
    this.#node = this.#openNumbered(hl);
    this.#member = this.#node !== null && 'benefits' in this.#node ? this.#node : null;
    return this.#node;
  }

  /** Opens the level of a name whose HL was not sent: the next of its kind or one deeper. Null for any other name. */
  openUnnumbered(role: string, isNext: boolean): Level | null {
    const level = LEVEL_OF_ROLE.get(role);
    if (level === undefined) return null;
    if (this.#node !== null && !isNext && DEPTHS[this.#level] >= DEPTHS[level]) return null;
    this.#level = level;
    if (level === 'payer') this.#node = this.#openPayer();
    else if (level === 'provider') this.#node = this.#openProvider();
    else this.#node = this.#member = this.#openSubscriber();
    return this.#node;
  }

  #openNumbered(segment: Segment): Level | null {
    const level = LEVELS.get(elementOf(segment, 3));
    if (level === undefined) return null;
    this.#level = level;
    if (level === 'payer') return this.#openPayer();
    if (level === 'provider') return this.#openProvider();
    if (level === 'dependent') return this.#openDependent(elementOf(segment, 2));
    if (this.#numbered) {
      this.#earlierByHl ??= new Map();
      this.#earlierByHl.set(this.#numbered.hl, this.#numbered.subscriber);
    }
    const opened = this.#openSubscriber();
    this.#numbered = { hl: elementOf(segment, 1), subscriber: opened };
    return opened;
  }

  #openPayer() {
    const opened: Growing<AnsweringPayer> = {
      party: null,
      rejections: NONE,
      providers: NONE,
      segments: NONE,
    };
    this.#answer.payers = added(this.#answer.payers, opened);
    this.#payer = opened;
    this.#provider = this.#subscriber = null;
    return opened;
  }

  #openProvider() {
    const opened: Growing<AskingProvider> = {
      party: null,
      references: NONE,
      rejections: NONE,
      subscribers: NONE,
      segments: NONE,
    };
    const parent = this.#payer ?? this.#openPayer();
    parent.providers = added(parent.providers, opened);
    this.#provider = opened;
    this.#subscriber = null;
    return opened;
  }

  #openSubscriber() {
    const opened: Growing<Subscriber> = { ...NOBODY, dependents: NONE };
    const parent = this.#provider ?? this.#openProvider();
    parent.subscribers = added(parent.subscribers, opened);
    this.#subscriber = opened;
    return opened;
  }

  #openDependent(parentHl: string) {
    const dependent: Growing<Member> = { ...NOBODY };
    const numbered =
      parentHl === this.#numbered?.hl ? this.#numbered.subscriber : this.#earlierByHl?.get(parentHl);
    const parent = numbered ?? this.#subscriber ?? this.#openSubscriber();
    parent.dependents = added(parent.dependents, dependent);
    return dependent;
  }
}

/** An EB with empty lists for what follows. */
export function readBenefit(segment: Segment): Benefit {
  return {
    code: inCapitals(elementOf(segment, 1)),
    coverageLevel: codeOf(segment, 2),
    serviceTypes: readServiceTypes(segment),
    insuranceType: codeOf(segment, 4),
    planName: valueOf(segment, 5),
    timePeriod: codeOf(segment, 6),
    amount: valueOf(segment, 7),
    percent: valueOf(segment, 8),
    quantityQualifier: codeOf(segment, 9),
    quantity: valueOf(segment, 10),
    authorisation: codeOf(segment, 11),
    inNetwork: codeOf(segment, 12),
    procedures: readProcedures(segment, 13),
    diagnosisPointers: valueOf(segment, 14),
    deliveries: NONE,
    information: NONE,
    references: NONE,
    dates: NONE,
    unreadDates: NONE,
    messages: NONE,
    rejections: NONE,
    entities: NONE,
    segments: [segment],
  };
}

const SERVICE_TYPE_LENGTH_MAX = 3;

/**
 * EB03. Some senders repeat it with another character than their ISA says, or with an ISA that says none: a service type
 * holds only letters and digits, so anything else between them is a separator.
 */
function readServiceTypes(segment: Segment): readonly string[] {
  const text = inCapitals(elementOf(segment, 3));
  if (text.length > SERVICE_TYPE_LENGTH_MAX) return text.split(/[^A-Z\d]+/i).filter((type) => type !== '');
  return text === '' ? NONE : repetitionsOf(segment, 3).map(inCapitals);
}
