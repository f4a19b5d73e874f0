import type { KeptErasure } from '@insurance-verification/store';
import type { Terminal } from '../terminal/terminal.ts';

/** A lost erasure in a command's document. */
export const toJson = ({ erasureId, requestId, erasedAt }: KeptErasure) => ({
  erasure_id: erasureId,
  request_id: requestId,
  erased_at: erasedAt.toISOString(),
});

/** Names the erasures that a restore has undone, with what to do about them. */
export function sayLostErasures(terminal: Terminal, lost: readonly KeptErasure[]): void {
  if (lost.length === 0) return;
  terminal.say(
    `Erased after the backup, so that their data is there again: ${lost.length}. Have each erased once more, by two people:`,
  );
  for (const { erasureId, requestId, erasedAt } of lost)
    terminal.say(`  ${requestId}, erased on ${erasedAt.toISOString()} (${erasureId})`);
}
