import type { LegalHold } from '@insurance-verification/schema';
import { type Block, fields } from '../terminal/table.ts';

/** A legal hold in words. */
export const holdFields = (hold: LegalHold): Block[] =>
  fields([
    ['hold_id', hold.hold_id],
    ['covers', hold.request_id ?? `all of ${hold.account_id}`],
    ['account_id', hold.account_id],
    ['reason', hold.reason],
    ['placed', `${hold.placed_at} by ${hold.placed_by}`],
    ['ended', hold.ended_at && `${hold.ended_at} by ${hold.ended_by}`],
  ]);
