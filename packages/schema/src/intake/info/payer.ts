import * as z from 'zod';
import type { PayerNames } from '../../payers.ts';

/** The payer enumeration over the given names. */
export function createPayer<const P extends PayerNames>(payers: P) {
  return z
    .enum(payers)
    .meta({ id: 'Payer', description: 'The payer plan, one of exactly four configured names.' });
}
