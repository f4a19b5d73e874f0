import type { Transaction } from '../envelope/interchange.ts';
import { elementOf, type Segment, valueOf } from '../tokenizing/segment.ts';
import { faultAt, type X12Fault } from '../tokenizing/x12-fault.ts';
import type {
  AnsweringPayer,
  AskingProvider,
  Benefit,
  EligibilityAnswer,
  Member,
  Rejection,
  RejectionLevel,
  Subscriber,
  Trace,
} from './eligibility-answer.ts';
import { parseDay } from './parse-x12-date.ts';
import {
  NONE,
  readBenefit,
  readDate,
  readParty,
  readReference,
  readTrace,
  withCity,
  withStreet,
} from './read-parts.ts';

/** A node while its loop is being read: what the reader gives is the same objects, read-only. */
type Growing<T> = { -readonly [K in keyof T]: T[K] };
type Level = Growing<AnsweringPayer> | Growing<AskingProvider> | Growing<Member>;

/** HL03, the level of the loops 2000A to 2000D. */
const LEVELS: Readonly<Record<string, RejectionLevel>> = {
  20: 'payer',
  21: 'provider',
  22: 'subscriber',
  23: 'dependent',
};

/** NM101 by which a level is known whose HL was not sent. */
const LEVEL_OF_ROLE: Readonly<Record<string, 'payer' | 'provider' | 'subscriber'>> = {
  PR: 'payer',
  '1P': 'provider',
  IL: 'subscriber',
};

/** How far down a level stands. */
const DEPTHS: Readonly<Record<RejectionLevel, number>> = {
  payer: 0,
  provider: 1,
  subscriber: 2,
  dependent: 3,
  benefit: 4,
};

/**
 * Reads a 271 into its loops. Never throws: what stands where no loop is open is left out and told as a warning.
 * A level whose parent was not sent gets an empty one.
 */
export function readEligibilityAnswer(transaction: Transaction): {
  answer: EligibilityAnswer;
  faults: readonly X12Fault[];
} {
  const faults: X12Fault[] = [];
  const reader = new EligibilityAnswerReader(transaction.controlNumber, faults);
  for (const segment of transaction.segments) reader.add(segment);
  return { answer: reader.answer, faults };
}

/**
 * Reads a 271 segment by segment, so that none need be kept. A class that keeps little, since a long text may hold
 * thousands of 271s.
 */
export class EligibilityAnswerReader {
  readonly #answer: Growing<EligibilityAnswer>;
  readonly #faults: X12Fault[];
  #payer: Growing<AnsweringPayer> | null = null;
  #provider: Growing<AskingProvider> | null = null;
  #subscriber: Growing<Subscriber> | null = null;
  /** The latest HL of a subscriber, and those before it: nearly always there are none. */
  #numbered: { readonly hl: string; readonly subscriber: Growing<Subscriber> } | null = null;
  #earlierByHl: Map<string, Growing<Subscriber>> | null = null;
  #level: RejectionLevel = 'payer';
  #node: Level | null = null;
  /** The same node where it is a subscriber or dependent. */
  #member: Growing<Member> | null = null;
  #benefit: Growing<Benefit> | null = null;
  /** Its EB, while nothing was added to it. */
  #bareRow: Segment | null = null;
  /** It stands for several rows. */
  #isShared = false;
  /** The subscriber's HL was not sent. */
  #isUnnumbered = false;
  /** TRN that came before a subscriber whose HL was not sent. */
  #unplacedTraces: readonly Trace[] = NONE;
  /** Inside a loop 2120 the segments that describe a person or place are not the member's. */
  #isInEntity = false;

  /** What is wrong goes into `faults`. */
  constructor(controlNumber: string, faults: X12Fault[]) {
    this.#answer = { controlNumber, reference: null, createdDate: null, createdTime: null, payers: NONE };
    this.#faults = faults;
  }

  /** All that the segments so far say. It grows with those that are added. */
  get answer(): EligibilityAnswer {
    return this.#answer;
  }

  /** Takes the next segment between ST and SE. */
  add(segment: Segment): void {
    if (!this.#place(segment)) this.#faults.push(faultAt('segment_misplaced', segment.position));
  }

  /** False where no loop is open that the segment belongs to. */
  #place(segment: Segment): boolean {
    const member = this.#member;
    const benefit = this.#benefit;
    switch (segment.id) {
      case 'BHT':
        this.#answer.reference = valueOf(segment, 3);
        this.#answer.createdDate = parseDay(elementOf(segment, 4));
        this.#answer.createdTime = parseTime(elementOf(segment, 5));
        return true;
      case 'HL':
        this.#node = this.#openLevel(segment);
        this.#member = this.#node !== null && 'benefits' in this.#node ? this.#node : null;
        this.#benefit = this.#bareRow = null;
        this.#isInEntity = this.#isUnnumbered = this.#isShared = false;
        return this.#node !== null;
      case 'EB':
        this.#isInEntity = false;
        if (!member) return false;
        this.#openBenefit(member, segment);
        return true;
      case 'LS':
        this.#isInEntity = benefit !== null;
        return true;
      case 'LE':
        this.#isInEntity = false;
        return true;
      case 'NM1': {
        const party = readParty(segment);
        if (benefit && !this.#isNextPatient(party.role, benefit)) {
          const own = this.#ownBenefit() ?? benefit;
          own.entities = added(own.entities, party);
          this.#isInEntity = true;
          return true;
        }
        const named = this.#openUnnumbered(party.role) ?? this.#node;
        if (!named) return false;
        named.party ??= party; // loop 2100 names one; what else stands there is not the patient
        return true;
      }
      case 'AAA': {
        const rejected = this.#ownBenefit() ?? this.#node;
        if (!rejected) return false;
        const level = benefit ? 'benefit' : this.#level;
        rejected.rejections = added(rejected.rejections, readRejection(segment, level));
        return true;
      }
      case 'REF': {
        const referred = this.#ownBenefit() ?? this.#node;
        if (referred && 'references' in referred)
          referred.references = added(referred.references, readReference(segment));
        return true;
      }
      case 'DTP': {
        const date = readDate(segment);
        const dated = this.#ownBenefit() ?? member;
        if (date && dated) dated.dates = added(dated.dates, date);
        return true;
      }
      case 'MSG': {
        const message = elementOf(segment, 1);
        const told = this.#ownBenefit() ?? member;
        if (told && message !== '') told.messages = added(told.messages, message);
        return true;
      }
      case 'TRN':
        if (member && !(this.#isUnnumbered && benefit))
          member.traces = added(member.traces, readTrace(segment));
        else this.#unplacedTraces = added(this.#unplacedTraces, readTrace(segment));
        return true;
      case 'N3':
      case 'N4':
      case 'DMG':
        if (member && !this.#isInEntity) describe(member, segment);
        return true;
      default: // Segments that say nothing of what is read here: PER, PRV, INS, HI, HSD, III, MPI…
        return true;
    }
  }

  /** A row that repeats the one before it is the same object, until something is told below it. */
  #openBenefit(member: Growing<Member>, row: Segment): void {
    const repeated = this.#bareRow !== null && hasSameElements(this.#bareRow, row) ? this.#benefit : null;
    const opened = repeated ?? readBenefit(row);
    member.benefits = added(member.benefits, opened);
    this.#benefit = opened;
    this.#bareRow = row;
    this.#isShared = repeated !== null;
  }

  /** The open benefit, to add to: an object of its own from here on. */
  #ownBenefit(): Growing<Benefit> | null {
    this.#bareRow = null;
    if (this.#isShared && this.#benefit && this.#member) {
      this.#benefit = { ...this.#benefit };
      replaceLast(this.#member.benefits, this.#benefit);
    }
    this.#isShared = false;
    return this.#benefit;
  }

  /** Where HL are not sent: whether a name behind benefits is that of the next patient, and not in a loop 2120. */
  #isNextPatient(role: string, { code }: Benefit): boolean {
    return this.#isUnnumbered && role === 'IL' && code !== 'R' && !this.#isInEntity;
  }

  /** The level that a name begins whose HL was not sent; null where its HL was. */
  #openUnnumbered(role: string): Level | null {
    const told = LEVEL_OF_ROLE[role];
    if (told === undefined) return null;
    const isNext = this.#benefit !== null;
    if (this.#node !== null && !isNext && DEPTHS[this.#level] >= DEPTHS[told]) return null;
    this.#level = told;
    if (told === 'payer') this.#node = this.#openPayer();
    else if (told === 'provider') this.#node = this.#openProvider();
    else {
      this.#node = this.#member = this.#openSubscriber();
      this.#member.traces = this.#unplacedTraces;
      this.#unplacedTraces = NONE;
      this.#benefit = this.#bareRow = null;
      this.#isShared = false;
      this.#isUnnumbered = true;
    }
    return this.#node;
  }

  #openLevel(segment: Segment): Level | null {
    const told = LEVELS[elementOf(segment, 3)];
    if (told === undefined) return null;
    this.#level = told;
    if (told === 'payer') return this.#openPayer();
    if (told === 'provider') return this.#openProvider();
    if (told === 'dependent') return this.#openDependent(elementOf(segment, 2));
    if (this.#numbered) {
      this.#earlierByHl ??= new Map();
      this.#earlierByHl.set(this.#numbered.hl, this.#numbered.subscriber);
    }
    const opened = this.#openSubscriber();
    this.#numbered = { hl: elementOf(segment, 1), subscriber: opened };
    return opened;
  }

  #openPayer() {
    const opened: Growing<AnsweringPayer> = { party: null, rejections: NONE, providers: NONE };
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

function hasSameElements({ elements: some }: Segment, { elements: others }: Segment): boolean {
  if (some.length !== others.length) return false;
  for (let index = 1; index < some.length; index++) if (some[index] !== others[index]) return false;
  return true;
}

/** N3, N4 and DMG of the member. */
function describe(member: Growing<Member>, segment: Segment): void {
  if (segment.id === 'N3') member.address = withStreet(member.address, segment);
  else if (segment.id === 'N4') member.address = withCity(member.address, segment);
  else {
    member.birthDate = parseDay(elementOf(segment, 2));
    member.gender = valueOf(segment, 3);
  }
}

/** A member of whom nothing is said. */
export const NOBODY: Member = {
  traces: NONE,
  party: null,
  references: NONE,
  address: null,
  birthDate: null,
  gender: null,
  dates: NONE,
  messages: NONE,
  rejections: NONE,
  benefits: NONE,
};

/** The list with one more. Only {@link NONE} is anybody else's, so any other list may grow in place. */
function added<T>(list: readonly T[], item: T): readonly T[] {
  if (list.length === 0) return [item];
  (list as T[]).push(item);
  return list;
}

/** As {@link added}, in a list that is not {@link NONE}. */
function replaceLast<T>(list: readonly T[], item: T): void {
  (list as T[])[list.length - 1] = item;
}

function readRejection(segment: Segment, level: RejectionLevel): Rejection {
  return { level, code: elementOf(segment, 3), followUp: valueOf(segment, 4) };
}

/** `HHMM`, `HHMMSS` or longer, as `HH:MM:SS`. */
function parseTime(text: string): string | null {
  const match = /^([01]\d|2[0-3])([0-5]\d)([0-5]\d)?\d{0,2}$/.exec(text);
  return match && `${match[1]}:${match[2]}:${match[3] ?? '00'}`;
}
