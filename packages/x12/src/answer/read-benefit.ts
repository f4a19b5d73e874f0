import { NONE } from '../parts/growing.ts';
import { readProcedures } from '../parts/read-parts.ts';
import { elementOf, repetitionsOf, type Segment, valueOf } from '../tokenizing/segment.ts';
import type { Benefit } from './eligibility-answer.ts';

/** An EB with empty lists for what follows. */
export function readBenefit(segment: Segment): Benefit {
  return {
    code: inCapitals(elementOf(segment, 1)),
    coverageLevel: valueOf(segment, 2),
    serviceTypes: readServiceTypes(segment),
    insuranceType: valueOf(segment, 4),
    planName: valueOf(segment, 5),
    timePeriod: valueOf(segment, 6),
    amount: valueOf(segment, 7),
    percent: valueOf(segment, 8),
    quantityQualifier: valueOf(segment, 9),
    quantity: valueOf(segment, 10),
    authorisation: valueOf(segment, 11),
    inNetwork: valueOf(segment, 12),
    procedures: readProcedures(segment, 13),
    diagnosisPointers: valueOf(segment, 14),
    deliveries: NONE,
    information: NONE,
    references: NONE,
    dates: NONE,
    messages: NONE,
    rejections: NONE,
    entities: NONE,
    segments: [segment],
  };
}

/** Nearly all codes are, and checking costs a tenth of `toUpperCase`. */
function inCapitals(code: string): string {
  for (let index = 0; index < code.length; index++)
    if (code.charCodeAt(index) > 0x5a) return code.toUpperCase();
  return code;
}

const SERVICE_TYPE_LENGTH_MAX = 3;

/**
 * EB03. Some senders repeat it with another character than their ISA says, or with an ISA that says none: a service type
 * holds only letters and digits, so anything else between them is a separator.
 */
function readServiceTypes(segment: Segment): readonly string[] {
  const text = elementOf(segment, 3);
  if (text.length > SERVICE_TYPE_LENGTH_MAX) return text.split(/[^A-Z\d]+/i).filter((type) => type !== '');
  return text === '' ? NONE : repetitionsOf(segment, 3);
}
