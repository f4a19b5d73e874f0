import {
  dateAndTime,
  type EnvelopeOptions,
  type SegmentValue,
  writeInterchange,
} from '../envelope/write-interchange.ts';
import type { AddressParts, EligibilityInquiry, NameParts } from './eligibility-inquiry.ts';

/** The implementation of the 270 and 271 that is written and read here. */
export const ELIGIBILITY_VERSION = '005010X279A1';

/** Writes a 270 (005010X279A1) in its envelope: one payer, one provider, one subscriber. */
export function writeEligibilityInquiry(inquiry: EligibilityInquiry, envelope: EnvelopeOptions): string {
  const { payer, provider, subscriber } = inquiry;
  const { date, time } = dateAndTime(inquiry.askedAt);
  const segments: (SegmentValue | null)[] = [
    ['BHT', '0022', '13', cut(inquiry.traceId, 50), date, time],
    ['HL', '1', '', '20', '1'],
    ['NM1', 'PR', '2', cut(payer.name, 60), '', '', '', '', 'PI', cut(payer.id, 80)],
    ['HL', '2', '1', '21', '1'],
    ['NM1', '1P', provider.isPerson ? '1' : '2', ...nameOf(provider.name), ...idOf('XX', provider.npi)],
    provider.tin === null ? null : ['REF', 'TJ', cut(provider.tin, 50)],
    ['HL', '3', '2', '22', '0'],
    ['TRN', '1', cut(inquiry.traceId, 50), cut(inquiry.traceOrigin, 10)],
    ['NM1', 'IL', '1', ...nameOf(subscriber.name), ...idOf('MI', subscriber.memberId)],
    ...addressOf(subscriber.address),
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
function nameOf(name: NameParts | null): [string, string, string, string, string] {
  if (name === null) return ['', '', '', '', ''];
  const { last, first, middle, suffix } = name;
  return [cut(last, 60), cut(first ?? '', 35), cut(middle ?? '', 25), '', cut(suffix ?? '', 10)];
}

/** NM108 and NM109: both or neither. */
function idOf(qualifier: string, id: string | null): [string, string] {
  return id === null ? ['', ''] : [qualifier, cut(id, 80)];
}

function addressOf(address: AddressParts | null): SegmentValue[] {
  if (address === null) return [];
  const { lines, city, state, postalCode } = address;
  return [
    ['N3', ...lines.slice(0, 2).map((line) => cut(line, 55))],
    ['N4', cut(city, 30), cut(state, 2), cut(postalCode, 15)],
  ];
}

function cut(text: string, lengthMax: number): string {
  return text.slice(0, lengthMax);
}

function compact(date: string): string {
  return date.replaceAll('-', '');
}
