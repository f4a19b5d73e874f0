import type { Transaction } from './envelope/read-interchanges.ts';
import {
  cleanText,
  dateAndTime,
  type EnvelopeOptions,
  type SegmentValue,
  writeInterchange,
} from './envelope/write-interchange.ts';
import type { AddressParts, NameParts, Procedure } from './parts/parts.ts';
import { parseDay, readDate, readParty, readProcedures, withCity, withStreet } from './parts/read-parts.ts';
import { DEFAULT_DELIMITERS, elementOf, repetitionsOf, type Segment } from './tokenizing/read-header.ts';

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
    /** 2100C DMG03: `F`, `M` or `U`; absent when not sent. */
    readonly gender?: string;
    readonly address: AddressParts | null;
  };
  /** 2100C DTP 291 as `YYYY-MM-DD`: the service date asked about. */
  readonly serviceDate: string;
  /** 2110C EQ01. `30` asks about the whole plan. */
  readonly serviceTypes: readonly string[];
  /** 2110C EQ02, one EQ each. */
  readonly procedures: readonly Procedure[];
}

/** The implementation guide of the 270 and 271. */
export const ELIGIBILITY_VERSION = '005010X279A1';

/** An element's text, cleaned first and then cut: cleaning can lengthen it or leave nothing. */
type Write = (text: string, lengthMax: number) => string;

/** Writes a 270 (005010X279A1) in its envelope: one payer, one provider, one subscriber. */
export function writeEligibilityInquiry(inquiry: EligibilityInquiry, envelope: EnvelopeOptions): string {
  const { payer, provider, subscriber } = inquiry;
  const { date, time } = dateAndTime(inquiry.askedAt);
  const delimiters = envelope.delimiters ?? DEFAULT_DELIMITERS;
  const write: Write = (text, lengthMax) => cleanText(text, delimiters).slice(0, lengthMax);
  const traceId = write(inquiry.traceId, 50);
  const tin = write(provider.tin ?? '', 50);
  const segments: (SegmentValue | null)[] = [
    ['BHT', '0022', '13', traceId, date, time],
    ['HL', '1', '', '20', '1'],
    ['NM1', 'PR', '2', write(payer.name, 60), '', '', '', '', ...idOf('PI', payer.id, write)],
    ['HL', '2', '1', '21', '1'],
    [
      'NM1',
      '1P',
      provider.isPerson ? '1' : '2',
      ...nameOf(provider.name, write),
      ...idOf('XX', provider.npi, write),
    ],
    tin === '' ? null : ['REF', 'TJ', tin],
    ['HL', '3', '2', '22', '0'],
    ['TRN', '1', traceId, write(inquiry.traceOrigin, 10)],
    ['NM1', 'IL', '1', ...nameOf(subscriber.name, write), ...idOf('MI', subscriber.memberId, write)],
    ...addressOf(subscriber.address, write),
    demographicsOf(subscriber, write),
    ['DTP', '291', 'D8', compact(inquiry.serviceDate)],
    ...inquiry.serviceTypes.map((type): SegmentValue => ['EQ', type]),
    ...inquiry.procedures.map(({ qualifier, code, modifiers }): SegmentValue => [
      'EQ',
      '',
      [qualifier, code, ...modifiers.slice(0, 4)],
    ]),
  ];
  return writeInterchange(envelope, {
    groupId: 'HS',
    transactionId: '270',
    version: ELIGIBILITY_VERSION,
    segments: segments.filter((segment) => segment !== null),
  });
}

/** NM103 to NM107. */
function nameOf(name: NameParts | null, write: Write): [string, string, string, string, string] {
  if (name === null) return ['', '', '', '', ''];
  const { last, first, middle, suffix } = name;
  return [write(last, 60), write(first ?? '', 35), write(middle ?? '', 25), '', write(suffix ?? '', 10)];
}

/** NM108 and NM109: both or neither. */
function idOf(qualifier: string, id: string | null, write: Write): [string, string] {
  const text = write(id ?? '', 80);
  return text === '' ? ['', ''] : [qualifier, text];
}

/** All or nothing: a payer refuses a segment without its first element, and the inquiry with it. */
function addressOf(address: AddressParts | null, write: Write): SegmentValue[] {
  if (address === null) return [];
  const [first, second = ''] = address.lines.map((line) => write(line, 55)).filter((line) => line !== '');
  const city = write(address.city, 30);
  if (first === undefined || city === '') return [];
  return [
    ['N3', first, second],
    ['N4', city, write(address.state, 2), write(address.postalCode, 15)],
  ];
}

/** DMG01 and DMG02 go together; DMG03 may be by itself. */
function demographicsOf(
  { birthDate, gender }: EligibilityInquiry['subscriber'],
  write: Write,
): SegmentValue | null {
  const sent = write(gender ?? '', 1);
  if (birthDate === null) return sent === '' ? null : ['DMG', '', '', sent];
  return ['DMG', 'D8', compact(birthDate), ...(sent === '' ? [] : [sent])];
}

function compact(date: string): string {
  return date.replaceAll('-', '');
}

/**
 * Reads a 270 for one subscriber, as a payer does. Never throws. What is missing is null, empty, or, where the
 * type wants more, an empty text.
 */
export function readEligibilityInquiry({ segments }: Transaction): EligibilityInquiry {
  let header: Segment | null = null;
  let level = '';
  let trace: Segment | null = null;
  const parties = new Map<string, ReturnType<typeof readParty>>();
  let tin: string | null = null;
  let address: AddressParts | null = null;
  let birthDate: string | null = null;
  let gender = '';
  let serviceDate = '';
  const serviceTypes: string[] = [];
  const procedures: Procedure[] = [];
  for (const segment of segments) {
    const isSubscriber = level === '22';
    if (segment.id === 'BHT') header = segment;
    else if (segment.id === 'HL') level = elementOf(segment, 3);
    else if (segment.id === 'NM1' && !parties.has(level)) parties.set(level, readParty(segment));
    else if (segment.id === 'REF' && level === '21' && elementOf(segment, 1) === 'TJ')
      tin = elementOf(segment, 2);
    else if (segment.id === 'TRN' && isSubscriber) trace = segment;
    else if (segment.id === 'N3' && isSubscriber) address = withStreet(address, segment);
    else if (segment.id === 'N4' && isSubscriber) address = withCity(address, segment);
    else if (segment.id === 'DMG' && isSubscriber) {
      birthDate = parseDay(elementOf(segment, 2));
      gender = elementOf(segment, 3);
    } else if (segment.id === 'DTP' && isSubscriber)
      serviceDate = readDate(segment).date?.start ?? serviceDate;
    else if (segment.id === 'EQ' && isSubscriber) {
      serviceTypes.push(...repetitionsOf(segment, 1));
      for (const { qualifier, code, modifiers } of readProcedures(segment, 2))
        procedures.push({ qualifier, code, modifiers });
    }
  }
  const payer = parties.get('20');
  const provider = parties.get('21');
  const subscriber = parties.get('22');
  return {
    traceId: trace ? elementOf(trace, 2) : '',
    traceOrigin: trace ? elementOf(trace, 3) : '',
    askedAt: askedAtOf(header),
    payer: { name: payer?.name?.last ?? '', id: payer?.id ?? '' },
    provider: {
      isPerson: provider?.isPerson ?? false,
      name: provider?.name ?? NO_NAME,
      npi: provider?.id ?? null,
      tin,
    },
    subscriber: {
      name: subscriber?.name ?? null,
      memberId: subscriber?.id ?? null,
      birthDate,
      ...(gender !== '' && { gender }),
      address,
    },
    serviceDate,
    serviceTypes,
    procedures,
  };
}

const NO_NAME: NameParts = { last: '', first: null, middle: null, suffix: null };

/** BHT04/05, read as UTC. The epoch when they are invalid. */
function askedAtOf(header: Segment | null): Date {
  const day = header && parseDay(elementOf(header, 4));
  const time = header ? /^(\d\d)(\d\d)/.exec(elementOf(header, 5)) : null;
  const at = new Date(`${day}T${time?.[1] ?? '00'}:${time?.[2] ?? '00'}:00Z`);
  return Number.isNaN(at.getTime()) ? new Date(0) : at;
}
