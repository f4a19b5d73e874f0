import { elementOf, type Segment, valueOf } from '../tokenizing/segment.ts';
import type { Rejection, RejectionLevel } from './eligibility-answer.ts';

/** An AAA of a loop at this level. */
export function readRejection(segment: Segment, level: RejectionLevel): Rejection {
  return { level, code: elementOf(segment, 3), followUp: valueOf(segment, 4) };
}
