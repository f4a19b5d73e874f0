import type { Transaction } from '../envelope/read-interchanges.ts';
import { added, type Growing, NONE, type RelatedEntity, type Trace } from '../parts/parts.ts';
import {
  parseDay,
  parseTime,
  readContacts,
  type ReadDate,
  readDate,
  readDelivery,
  readInformation,
  readParty,
  readReference,
  readTrace,
  withCity,
  withStreet,
} from '../parts/read-parts.ts';
import { codeOf, elementOf, type Segment, valueOf } from '../tokenizing/read-header.ts';
import { faultAt, type X12Fault } from '../tokenizing/x12-fault.ts';
import type {
  Benefit,
  EligibilityAnswer,
  Loop,
  Member,
  Rejection,
  RejectionLevel,
} from './eligibility-answer.ts';
import { OpenLoops, readBenefit } from './open-loops.ts';

/**
 * Reads a 271 into its loops. Never throws: a segment outside any loop is reported as a warning.
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
  /** The open loop 2110. */
  #benefit: Growing<Benefit> | null = null;
  /** The open loop 2120. */
  #entity: Growing<RelatedEntity> | null = null;
  #dateBefore: (ReadDate & { readonly segment: Segment }) | null = null;
  /** The subscriber's HL was not sent. */
  #isUnnumbered = false;
  /** TRNs that came before a subscriber whose HL was not sent. */
  #unplacedTraces: readonly Trace[] = NONE;
  /** Inside loop 2120, segments that describe a person or place are not the member's. */
  #isInEntity = false;

  /** Faults are added to `faults`. */
  constructor(controlNumber: string, faults: X12Fault[]) {
    this.#answer = {
      controlNumber,
      reference: null,
      createdDate: null,
      createdTime: null,
      payers: NONE,
      segments: NONE,
    };
    this.#loops = new OpenLoops(this.#answer);
    this.#faults = faults;
  }

  /** Everything read so far. It grows as segments are added. */
  get answer(): EligibilityAnswer {
    return this.#answer;
  }

  /** Takes the next segment between ST and SE. One that no open loop takes stays with the answer, as a fault. */
  add(segment: Segment): void {
    const loop = this.#place(segment);
    if (loop === null) this.#faults.push(faultAt('segment_misplaced', segment.position));
    const keeper = loop ?? this.#answer;
    // An EB has made its loop.
    if (segment.id !== 'EB' || loop === null) keeper.segments = added(keeper.segments, segment);
  }

  /** The loop that takes the segment; null when none does. */
  #place(segment: Segment): Growing<Loop> | null {
    const { member, node } = this.#loops;
    const benefit = this.#benefit;
    switch (segment.id) {
      case 'BHT':
        this.#answer.reference = valueOf(segment, 3);
        this.#answer.createdDate = parseDay(elementOf(segment, 4));
        this.#answer.createdTime = parseTime(elementOf(segment, 5));
        return this.#answer;
      case 'HL':
        this.#benefit = this.#entity = null;
        this.#isInEntity = this.#isUnnumbered = false;
        return this.#loops.open(segment);
      case 'EB':
        this.#isInEntity = false;
        this.#entity = null;
        if (!member) return null;
        this.#benefit = readBenefit(segment);
        member.benefits = added(member.benefits, this.#benefit);
        return this.#benefit;
      case 'LS':
        this.#isInEntity = benefit !== null;
        return benefit ?? node ?? this.#answer;
      case 'LE':
        this.#isInEntity = false;
        this.#entity = null;
        return benefit ?? node ?? this.#answer;
      case 'NM1':
        return this.#name(segment);
      case 'AAA': {
        const rejected = benefit ?? node;
        if (!rejected) return null;
        const level = benefit ? 'benefit' : this.#loops.level;
        rejected.rejections = added(rejected.rejections, readRejection(segment, level));
        return rejected;
      }
      case 'REF': {
        const referred = benefit ?? node;
        if (referred && 'references' in referred)
          referred.references = added(referred.references, readReference(segment));
        return referred ?? this.#answer;
      }
      case 'DTP': {
        const { date, unread } = this.#readDate(segment);
        const dated = benefit ?? member;
        if (date && dated) dated.dates = added(dated.dates, date);
        if (unread && dated) dated.unreadDates = added(dated.unreadDates, unread);
        return dated ?? node ?? this.#answer;
      }
      case 'MSG': {
        const message = elementOf(segment, 1);
        const owner = benefit ?? member;
        if (owner && message !== '') owner.messages = added(owner.messages, message);
        return owner ?? node ?? this.#answer;
      }
      case 'TRN':
        if (member && !(this.#isUnnumbered && benefit)) {
          member.traces = added(member.traces, readTrace(segment));
          return member;
        }
        this.#unplacedTraces = added(this.#unplacedTraces, readTrace(segment));
        return this.#answer;
      case 'HSD':
        if (benefit) benefit.deliveries = added(benefit.deliveries, readDelivery(segment));
        break;
      case 'III':
        if (benefit) benefit.information = added(benefit.information, readInformation(segment));
        break;
      case 'N3':
      case 'N4':
      case 'DMG':
        if (this.#isInEntity || !member) break;
        describe(member, segment);
        return member;
      default: // What has no field of its own stays in its loop: INS, HI, MPI, PRV of a provider…
    }
    if (this.#entity) describeEntity(this.#entity, segment);
    return benefit ?? node ?? this.#answer;
  }

  /** Payers write the benefit year after every row: the same date is read once, and is one object. */
  #readDate(segment: Segment): ReadDate {
    const [, qualifier, form, text] = segment.elements;
    const before = this.#dateBefore;
    const known = before?.segment.elements;
    if (before && known && known[3] === text && known[1] === qualifier && known[2] === form) return before;
    const read = { segment, ...readDate(segment) };
    this.#dateBefore = read;
    return read;
  }

  /** NM1: of a level, or of loop 2120. */
  #name(segment: Segment): Growing<Loop> | null {
    const party = readParty(segment);
    const described = this.#isNextPatient(party.role) ? null : this.#benefit;
    if (described) {
      this.#entity = { ...party, address: null, contacts: NONE, taxonomy: null };
      described.entities = added(described.entities, this.#entity);
      this.#isInEntity = true;
      return described;
    }
    const named = this.#openUnnumbered(party.role) ?? this.#loops.node;
    if (named) named.party ??= party; // loop 2100 names one person; any other name there is not the patient
    return named;
  }

  /** Without HLs: whether a name after benefits belongs to the next patient rather than to loop 2120. */
  #isNextPatient(role: string): boolean {
    return this.#isUnnumbered && role === 'IL' && this.#benefit?.code !== 'R' && !this.#isInEntity;
  }

  /** The level opened by a name whose HL was not sent; null when it was. */
  #openUnnumbered(role: string) {
    const opened = this.#loops.openUnnumbered(role, this.#benefit !== null);
    if (opened === null || opened !== this.#loops.member) return opened;
    opened.traces = this.#unplacedTraces;
    this.#unplacedTraces = NONE;
    this.#benefit = this.#entity = null;
    this.#isUnnumbered = true;
    return opened;
  }
}

/** N3, N4 and DMG of the member. */
function describe(member: Growing<Member>, segment: Segment): void {
  if (segment.id === 'N3') member.address = withStreet(member.address, segment);
  else if (segment.id === 'N4') member.address = withCity(member.address, segment);
  else {
    const text = elementOf(segment, 2);
    // `CCYY-MM-DD`, which no X12 format has
    member.birthDate = parseDay(text.includes('-') ? text.replaceAll('-', '') : text);
    member.gender = valueOf(segment, 3);
  }
}

/** N3, N4, PER and PRV of loop 2120. */
function describeEntity(entity: Growing<RelatedEntity>, segment: Segment): void {
  if (segment.id === 'N3') entity.address = withStreet(entity.address, segment);
  else if (segment.id === 'N4') entity.address = withCity(entity.address, segment);
  else if (segment.id === 'PER')
    for (const contact of readContacts(segment)) entity.contacts = added(entity.contacts, contact);
  else if (segment.id === 'PRV') entity.taxonomy = valueOf(segment, 3);
}

/** An AAA of a loop at this level. */
function readRejection(segment: Segment, level: RejectionLevel): Rejection {
  return { level, code: codeOf(segment, 3) ?? '', followUp: valueOf(segment, 4) };
}
