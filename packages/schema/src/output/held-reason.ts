import type * as z from 'zod';
import { enumeration } from '../model.ts';

/**
 * Why an output was held rather than applied: the sender is not trusted, no request has its id, it concerns another
 * patient, an agent found it where its payer's route has a person look first, or the request already has a different
 * result.
 */
export const HeldReason = enumeration('HeldReason', 'Why an output was held and not applied.', [
  'untrusted',
  'unmatched',
  'input_mismatch',
  'superseding',
  'agent_result',
]);
export type HeldReason = z.infer<typeof HeldReason>;
