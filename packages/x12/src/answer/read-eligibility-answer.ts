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
  // The same node where it is a subscriber or dependent.
  let member: Growing<Member> | null = null;
  let benefit: Growing<Benefit> | null = null;
  // Inside a loop 2120 the segments that describe a person or place are not the member's.
  let isInEntity = false;

  const openPayer = () => {
    payers.push((payer = { party: null, rejections: NONE, providers: NONE }));
    provider = subscriber = null;
    return payer;
  };
  const openProvider = () => {
    const opened: Growing<AskingProvider> = {
      party: null,
      references: NONE,
      rejections: NONE,
      subscribers: NONE,
    };
    const parent = payer ?? openPayer();
    parent.providers = added(parent.providers, opened);
    provider = opened;
    subscriber = null;
    return opened;
  };
  const openSubscriber = () => {
    const opened: Growing<Subscriber> = { ...emptyMember(), dependents: NONE };
    const parent = provider ?? openProvider();
    parent.subscribers = added(parent.subscribers, opened);
    subscriber = opened;
    return opened;
  };
  const openDependent = (parentHl: string) => {
    const dependent = emptyMember();
    const parent = subscribersByHl.get(parentHl) ?? subscriber ?? openSubscriber();
    parent.dependents = added(parent.dependents, dependent);
    return dependent;
  };
  const openLevel = (segment: Segment): Level | null => {
    const told = LEVELS[elementOf(segment, 3)];
    if (told === undefined) return null;
    level = told;
    if (told === 'payer') return openPayer();
    if (told === 'provider') return openProvider();
    if (told === 'dependent') return openDependent(elementOf(segment, 2));
    const opened = openSubscriber();
    subscribersByHl.set(elementOf(segment, 1), opened);
    return opened;
  };

  for (const segment of transaction.segments) {
    let isPlaced = true;
    switch (segment.id) {
      case 'BHT':
        header = segment;
        break;
      case 'HL':
        node = openLevel(segment);
        member = node !== null && 'benefits' in node ? node : null;
        benefit = null;
        isInEntity = false;
        isPlaced = node !== null;
        break;
      case 'EB':
        isInEntity = false;
        if (member) member.benefits = added(member.benefits, (benefit = readBenefit(segment)));
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
          benefit.entities = added(benefit.entities, readParty(segment));
          isInEntity = true;
        } else if (node) node.party = readParty(segment);
        else isPlaced = false;
        break;
      case 'AAA': {
        const rejected = benefit ?? node;
        if (rejected)
          rejected.rejections = added(
            rejected.rejections,
            readRejection(segment, benefit ? 'benefit' : level),
          );
        else isPlaced = false;
        break;
      }
      case 'REF': {
        const referred = benefit ?? node;
        if (referred && 'references' in referred)
          referred.references = added(referred.references, readReference(segment));
        break;
      }
      case 'DTP': {
        const date = readDate(segment);
        const dated = benefit ?? member;
        if (date && dated) dated.dates = added(dated.dates, date);
        break;
      }
      case 'MSG':
        if (benefit && elementOf(segment, 1) !== '')
          benefit.messages = added(benefit.messages, elementOf(segment, 1));
        break;
      case 'TRN':
        if (member) member.traces = added(member.traces, readTrace(segment));
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

/** A member of whom nothing is said. */
export function emptyMember(): Growing<Member> {
  return {
    traces: NONE,
    party: null,
    references: NONE,
    address: null,
    birthDate: null,
    gender: null,
    dates: NONE,
    rejections: NONE,
    benefits: NONE,
  };
}

/** The list with one more. Only {@link NONE} is anybody else's, so any other list may grow in place. */
function added<T>(list: readonly T[], item: T): readonly T[] {
  if (list.length === 0) return [item];
  (list as T[]).push(item);
  return list;
}

function readRejection(segment: Segment, level: RejectionLevel): Rejection {
  return { level, code: elementOf(segment, 3), followUp: valueOf(segment, 4) };
}

/** `HHMM`, `HHMMSS` or longer, as `HH:MM:SS`. */
function parseTime(text: string): string | null {
  const match = /^([01]\d|2[0-3])([0-5]\d)([0-5]\d)?\d{0,2}$/.exec(text);
  return match && `${match[1]}:${match[2]}:${match[3] ?? '00'}`;
}
