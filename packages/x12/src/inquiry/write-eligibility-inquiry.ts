import { cleanText } from '../envelope/clean-text.ts';
import {
  dateAndTime,
  type EnvelopeOptions,
  type SegmentValue,
  writeInterchange,
} from '../envelope/write-interchange.ts';
import { type AddressParts, type NameParts } from '../parts/parts.ts';
import { DEFAULT_DELIMITERS } from '../tokenizing/delimiters.ts';
import type { EligibilityInquiry } from './eligibility-inquiry.ts';

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
    subscriber.birthDate === null ? null : ['DMG', 'D8', compact(subscriber.birthDate)],
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

function compact(date: string): string {
  return date.replaceAll('-', '');
}
