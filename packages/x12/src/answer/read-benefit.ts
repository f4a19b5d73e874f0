import { NONE } from '../parts/growing.ts';
import { readProcedures } from '../parts/read-parts.ts';
import {
  codeOf,
  elementOf,
  inCapitals,
  repetitionsOf,
  type Segment,
  valueOf,
} from '../tokenizing/segment.ts';
import type { Benefit } from './eligibility-answer.ts';

/** An EB with empty lists for what follows. */
export function readBenefit(segment: Segment): Benefit {
  return {
    code: inCapitals(elementOf(segment, 1)),
    coverageLevel: codeOf(segment, 2),
    serviceTypes: readServiceTypes(segment),
    insuranceType: codeOf(segment, 4),
    planName: valueOf(segment, 5),
    timePeriod: codeOf(segment, 6),
    amount: valueOf(segment, 7),
    percent: valueOf(segment, 8),
    quantityQualifier: codeOf(segment, 9),
    quantity: valueOf(segment, 10),
    authorisation: codeOf(segment, 11),
    inNetwork: codeOf(segment, 12),
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

const SERVICE_TYPE_LENGTH_MAX = 3;

/**
 * EB03. Some senders repeat it with another character than their ISA says, or with an ISA that says none: a service type
 * holds only letters and digits, so anything else between them is a separator.
 */
function readServiceTypes(segment: Segment): readonly string[] {
  const text = inCapitals(elementOf(segment, 3));
  if (text.length > SERVICE_TYPE_LENGTH_MAX) return text.split(/[^A-Z\d]+/i).filter((type) => type !== '');
  return text === '' ? NONE : repetitionsOf(segment, 3).map(inCapitals);
}
