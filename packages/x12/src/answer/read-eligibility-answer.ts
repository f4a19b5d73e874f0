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
} from './eligibility-answer.ts';
import { parseDay } from './parse-x12-date.ts';
import {
  readBenefit,
  readDate,
  readParty,
  readReference,
  readTrace,
  withCity,
  withStreet,
} from './read-parts.ts';

/** A node while its loop is being read: what the reader gives is the same objects, read-only. */
type Growing<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? Growing<E>[] : T[K] };
type Level = Growing<AnsweringPayer> | Growing<AskingProvider> | Growing<Member>;

/** HL03, the level of the loops 2000A to 2000D. */
const LEVELS: Readonly<Record<string, RejectionLevel>> = {
  20: 'payer',
  21: 'provider',
  22: 'subscriber',
  23: 'dependent',
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
  const payers: Growing<AnsweringPayer>[] = [];
  let header: Segment | null = null;
  let payer: Growing<AnsweringPayer> | null = null;
  let provider: Growing<AskingProvider> | null = null;
  const subscribersByHl = new Map<string, Growing<Subscriber>>();
  let subscriber: Growing<Subscriber> | null = null;
  let level: RejectionLevel = 'payer';
  let node: Level | null = null;
  let benefit: Growing<Benefit> | null = null;
  // Inside a loop 2120 the segments that describe a person or place are not the member's.
  let isInEntity = false;

  const openPayer = () => {
    payers.push((payer = { party: null, rejections: [], providers: [] }));
    provider = subscriber = null;
    return payer;
  };
  const openProvider = () => {
    const opened: Growing<AskingProvider> = { party: null, references: [], rejections: [], subscribers: [] };
    (payer ?? openPayer()).providers.push(opened);
    provider = opened;
    subscriber = null;
    return opened;
  };
  const openSubscriber = () => {
    const opened: Growing<Subscriber> = { ...emptyMember(), dependents: [] };
    (provider ?? openProvider()).subscribers.push(opened);
    subscriber = opened;
    return opened;
  };
  const openDependent = (parent: string) => {
    const dependent = emptyMember();
    (subscribersByHl.get(parent) ?? subscriber ?? openSubscriber()).dependents.push(dependent);
    return dependent;
  };
  const openLevel = (segment: Segment): Level | null => {
    const opened = LEVELS[elementOf(segment, 3)];
    if (opened === undefined) return null;
    level = opened;
    if (opened === 'payer') return openPayer();
    if (opened === 'provider') return openProvider();
    if (opened === 'dependent') return openDependent(elementOf(segment, 2));
    const member = openSubscriber();
    subscribersByHl.set(elementOf(segment, 1), member);
    return member;
  };

  for (const segment of transaction.segments) {
    const member = node !== null && 'benefits' in node ? node : null;
    let isPlaced = true;
    switch (segment.id) {
      case 'BHT':
        header = segment;
        break;
      case 'HL':
        node = openLevel(segment);
        benefit = null;
        isInEntity = false;
        isPlaced = node !== null;
        break;
      case 'EB':
        isInEntity = false;
        if (member) member.benefits.push((benefit = readBenefit(segment)));
        else isPlaced = false;
        break;
      case 'LS':
        isInEntity = benefit !== null;
        break;
      case 'LE':
        isInEntity = false;
        break;
      case 'NM1':
        if (benefit) {
          benefit.entities.push(readParty(segment));
          isInEntity = true;
        } else if (node) node.party = readParty(segment);
        else isPlaced = false;
        break;
      case 'AAA': {
        const rejection = readRejection(segment, benefit ? 'benefit' : level);
        if (benefit) benefit.rejections.push(rejection);
        else if (node) node.rejections.push(rejection);
        else isPlaced = false;
        break;
      }
      case 'REF':
        if (benefit) benefit.references.push(readReference(segment));
        else if (node && 'references' in node) node.references.push(readReference(segment));
        break;
      case 'DTP': {
        const date = readDate(segment);
        if (date) (benefit ?? member)?.dates.push(date);
        break;
      }
      case 'MSG':
        if (benefit && elementOf(segment, 1) !== '') benefit.messages.push(elementOf(segment, 1));
        break;
      case 'TRN':
        if (member) member.traces.push(readTrace(segment));
        break;
      case 'N3':
        if (member && !isInEntity) member.address = withStreet(member.address, segment);
        break;
      case 'N4':
        if (member && !isInEntity) member.address = withCity(member.address, segment);
        break;
      case 'DMG':
        if (member && !isInEntity) {
          member.birthDate = parseDay(elementOf(segment, 2));
          member.gender = valueOf(segment, 3);
        }
        break;
      default: // Segments that say nothing of what is read here: PER, PRV, INS, HI, HSD, III, MPI…
    }
    if (!isPlaced) faults.push(faultAt('segment_misplaced', segment.position));
  }
  const answer = {
    controlNumber: transaction.controlNumber,
    reference: header && valueOf(header, 3),
    createdDate: header && parseDay(elementOf(header, 4)),
    createdTime: header && parseTime(elementOf(header, 5)),
    payers,
  };
  return { answer, faults };
}

function emptyMember(): Growing<Member> {
  return {
    traces: [],
    party: null,
    references: [],
    address: null,
    birthDate: null,
    gender: null,
    dates: [],
    rejections: [],
    benefits: [],
  };
}

function readRejection(segment: Segment, level: RejectionLevel): Rejection {
  return { level, code: elementOf(segment, 3), followUp: valueOf(segment, 4) };
}

/** `HHMM`, `HHMMSS` or longer, as `HH:MM:SS`. */
function parseTime(text: string): string | null {
  const match = /^([01]\d|2[0-3])([0-5]\d)([0-5]\d)?\d{0,2}$/.exec(text);
  return match && `${match[1]}:${match[2]}:${match[3] ?? '00'}`;
}
