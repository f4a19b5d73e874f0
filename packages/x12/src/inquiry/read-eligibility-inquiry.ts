import type { Transaction } from '../envelope/interchange.ts';
import { parseDay } from '../parts/parse-x12-date.ts';
import { type AddressParts, type NameParts, type Procedure } from '../parts/parts.ts';
import { readDate, readParty, readProcedures, withCity, withStreet } from '../parts/read-parts.ts';
import { elementOf, repetitionsOf, type Segment } from '../tokenizing/segment.ts';
import type { EligibilityInquiry } from './eligibility-inquiry.ts';

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
    else if (segment.id === 'DMG' && isSubscriber) birthDate = parseDay(elementOf(segment, 2));
    else if (segment.id === 'DTP' && isSubscriber) serviceDate = readDate(segment)?.start ?? serviceDate;
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
    subscriber: { name: subscriber?.name ?? null, memberId: subscriber?.id ?? null, birthDate, address },
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
