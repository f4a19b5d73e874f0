import type { Transaction } from '../envelope/interchange.ts';
import { added, type Growing, NONE } from '../parts/growing.ts';
import { parseDay, parseTime } from '../parts/parse-x12-date.ts';
import { type Trace } from '../parts/parts.ts';
import { readDate, readParty, readReference, readTrace, withCity, withStreet } from '../parts/read-parts.ts';
import { elementOf, type Segment, valueOf } from '../tokenizing/segment.ts';
import { faultAt, type X12Fault } from '../tokenizing/x12-fault.ts';
import type { Benefit, EligibilityAnswer, Member } from './eligibility-answer.ts';
import { OpenBenefit } from './open-benefit.ts';
import { OpenLoops } from './open-loops.ts';
import { readRejection } from './read-rejection.ts';

/**
 * Reads a 271 into its loops. Never throws: a segment outside any loop is dropped with a warning.
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
  readonly #loops: OpenLoops;
  readonly #benefit = new OpenBenefit();
  /** The subscriber's HL was not sent. */
  #isUnnumbered = false;
  /** TRNs that came before a subscriber whose HL was not sent. */
  #unplacedTraces: readonly Trace[] = NONE;
  /** Inside loop 2120, segments that describe a person or place are not the member's. */
  #isInEntity = false;

  /** Faults are added to `faults`. */
  constructor(controlNumber: string, faults: X12Fault[]) {
    this.#answer = { controlNumber, reference: null, createdDate: null, createdTime: null, payers: NONE };
    this.#loops = new OpenLoops(this.#answer);
    this.#faults = faults;
  }

  /** Everything read so far. It grows as segments are added. */
  get answer(): EligibilityAnswer {
    return this.#answer;
  }

  /** Takes the next segment between ST and SE. */
  add(segment: Segment): void {
    if (!this.#place(segment)) this.#faults.push(faultAt('segment_misplaced', segment.position));
  }

  /** False when no open loop takes the segment. */
  #place(segment: Segment): boolean {
    const { member } = this.#loops;
    const benefit = this.#benefit.current;
    switch (segment.id) {
      case 'BHT':
        this.#answer.reference = valueOf(segment, 3);
        this.#answer.createdDate = parseDay(elementOf(segment, 4));
        this.#answer.createdTime = parseTime(elementOf(segment, 5));
        return true;
      case 'HL':
        this.#benefit.close();
        this.#isInEntity = this.#isUnnumbered = false;
        return this.#loops.open(segment) !== null;
      case 'EB':
        this.#isInEntity = false;
        if (!member) return false;
        this.#benefit.open(member, segment);
        return true;
      case 'LS':
        this.#isInEntity = benefit !== null;
        return true;
      case 'LE':
        this.#isInEntity = false;
        return true;
      case 'NM1': {
        const party = readParty(segment);
        const described = this.#isNextPatient(party.role, benefit) ? null : this.#benefit.own();
        if (described) {
          described.entities = added(described.entities, party);
          this.#isInEntity = true;
          return true;
        }
        const named = this.#openUnnumbered(party.role) ?? this.#loops.node;
        if (!named) return false;
        named.party ??= party; // loop 2100 names one person; any other name there is not the patient
        return true;
      }
      case 'AAA': {
        const rejected = this.#benefit.own() ?? this.#loops.node;
        if (!rejected) return false;
        const level = benefit ? 'benefit' : this.#loops.level;
        rejected.rejections = added(rejected.rejections, readRejection(segment, level));
        return true;
      }
      case 'REF': {
        const referred = this.#benefit.own() ?? this.#loops.node;
        if (referred && 'references' in referred)
          referred.references = added(referred.references, readReference(segment));
        return true;
      }
      case 'DTP': {
        const date = readDate(segment);
        const dated = this.#benefit.own() ?? member;
        if (date && dated) dated.dates = added(dated.dates, date);
        return true;
      }
      case 'MSG': {
        const message = elementOf(segment, 1);
        const told = this.#benefit.own() ?? member;
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
      default: // Segments of no interest here: PER, PRV, INS, HI, HSD, III, MPI…
        return true;
    }
  }

  /** Without HLs: whether a name after benefits belongs to the next patient rather than to loop 2120. */
  #isNextPatient(role: string, benefit: Benefit | null): boolean {
    return this.#isUnnumbered && role === 'IL' && benefit?.code !== 'R' && !this.#isInEntity;
  }

  /** The level opened by a name whose HL was not sent; null when it was. */
  #openUnnumbered(role: string) {
    const opened = this.#loops.openUnnumbered(role, this.#benefit.current !== null);
    if (opened === null || opened !== this.#loops.member) return opened;
    opened.traces = this.#unplacedTraces;
    this.#unplacedTraces = NONE;
    this.#benefit.close();
    this.#isUnnumbered = true;
    return opened;
  }
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
