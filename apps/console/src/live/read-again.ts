import type { Hint } from '@insurance-verification/schema';
import type { Query } from '@tanstack/react-query';
import { failureOf } from '../api/failure.ts';
import { queryClient } from '../session/query-client.ts';

/** The prefixes of the operations whose answers a change of each kind may affect. */
const READ_BY: Readonly<Record<Hint, readonly string[]>> = {
  request: ['requests.'],
  work: ['work.', 'drafts.', 'requests.attempts'],
  held: ['heldOutputs.', 'requests.view', 'requests.search'],
  delivery: ['deliveries.', 'receivers.', 'requests.'],
  access: ['accounts.', 'keys.', 'staff.', 'sessions.list', 'webhookSecret.'],
};

/** Every kind of change. Written here, since the package that names them would enlarge the first load. */
export const HINTS = Object.keys(READ_BY) as Hint[];

/** Milliseconds between two reads of what is on screen. */
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

/** Invalidates the queries on screen that a change may affect; in a hidden tab, once it is visible again. */
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
