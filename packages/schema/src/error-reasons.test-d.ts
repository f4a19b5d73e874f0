import type { ErrorReason, ErrorReasonFact } from './index.ts';

type Reasons = Record<ErrorReason, ErrorReasonFact>;
const { member_not_found: _, ...missingOne } = {} as Reasons;
// @ts-expect-error a missing row does not compile
missingOne satisfies Reasons;
