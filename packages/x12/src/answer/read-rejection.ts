import { codeOf, type Segment, valueOf } from '../tokenizing/segment.ts';
import type { Rejection, RejectionLevel } from './eligibility-answer.ts';

/** An AAA of a loop at this level. */
export function readRejection(segment: Segment, level: RejectionLevel): Rejection {
  return { level, code: codeOf(segment, 3) ?? '', followUp: valueOf(segment, 4) };
}
