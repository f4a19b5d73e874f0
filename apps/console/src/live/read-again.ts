import type { Hint } from '@insurance-verification/schema';
import type { Query } from '@tanstack/react-query';
import { failureOf } from '../api/failure.ts';
import { queryClient } from '../session/query-client.ts';

/** The operations whose answers a change of each kind may touch, by the beginning of their names. */
const READ_BY: Readonly<Record<Hint, readonly string[]>> = {
  request: ['requests.'],
  work: ['work.', 'drafts.', 'requests.attempts'],
  held: ['heldOutputs.', 'requests.view'],
  delivery: ['deliveries.', 'requests.'],
  access: ['accounts.', 'keys.', 'staff.', 'sessions.list', 'webhookSecret.'],
};

/** Every kind of change; the first load has no room for the package that names them. */
export const HINTS = Object.keys(READ_BY) as Hint[];

/** Between two readings of what is on screen: at 50 requests a second nobody could follow more. */
const PAUSE_MS = 1_000;

const pending = new Set<Hint>();
let isReading = false;

function isTouched({ queryKey: [operation], state: { error } }: Query): boolean {
  const failed = error === null ? undefined : failureOf(error).kind;
  // What was refused stays refused until the person's roles change, which is an event of its own.
  if (failed === 'forbidden') return false;
  // What had no answer gets one now, whatever it reads: the service is there.
  if (failed === 'offline') return true;
  return [...pending].some((kind) => READ_BY[kind].some((name) => String(operation).startsWith(name)));
}

/** Reads again what is on screen and may have changed; in a hidden tab, when somebody looks at it again. */
export function readAgain(kinds: readonly Hint[] = HINTS): void {
  for (const kind of kinds) pending.add(kind);
  if (!isReading) void readAll();
}

async function readAll(): Promise<void> {
  isReading = true;
  while (pending.size > 0 && !document.hidden) {
    const touched = queryClient.getQueryCache().findAll({ predicate: isTouched });
    pending.clear();
    // Waits for the answers: a reading that each new hint cancels would never end.
    const reading = queryClient.invalidateQueries({ predicate: (query) => touched.includes(query) });
    await Promise.all([reading, new Promise((resolve) => setTimeout(resolve, PAUSE_MS))]);
  }
  isReading = false;
}

document.addEventListener('visibilitychange', () => readAgain([]));
