import type { HeldOutput } from '@insurance-verification/schema';
import type { HeldOutputSummary } from '@insurance-verification/store';

export function toHeldOutput(held: HeldOutputSummary): HeldOutput {
  return {
    held_id: held.heldId,
    reason: held.reason,
    received_at: held.receivedAt.toISOString(),
    request_id: held.requestId,
  };
}
