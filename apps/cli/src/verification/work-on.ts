import {
  ConflictError,
  InsuranceVerificationError,
  NotFoundError,
  type RestClient,
  ValidationFailedError,
} from '@insurance-verification/client';
import type { WorkItem } from '@insurance-verification/schema';
import { CommandFailedError } from '../failure/failure.ts';
import type { Desk } from './desk.ts';
import { handIn, type HandedIn } from './hand-in.ts';
import { type Draft, emptyDraft } from './interview/draft.ts';
import { askRefused, interview } from './interview/interview.ts';
import { summaryLines } from './interview/summary-lines.ts';
import { type KeptLease, keepLease, leaseOf } from './keep-lease.ts';
import type { Asking } from './prompts/asking.ts';
import { takeAgain } from './take-again.ts';
import type { WatchedQueue } from './watch-queue.ts';
import { workLines } from './work-lines.ts';

/**
 * Works one request from its lease to the accepted answer. The person's answers survive refusals, service failures and
 * lost leases, until they are handed in or the person gives up.
 * @returns null when the request was lost for good.
 * @throws {CommandFailedError} when the person stops.
 */
export async function workOn(desk: Desk, first: WorkItem): Promise<HandedIn | null> {
  const { client, terminal, queue, stopped } = desk;
  const draft = emptyDraft();
  let item: WorkItem | null = first;
  await queue.look();
  for (const line of workLines(item, queue.waitingCount())) terminal.say(line);
  while (item) {
    const lease = keepLease(client, item, claimAgain(desk));
    try {
      return await askAndHandIn(desk, draft, lease);
    } catch (err) {
      lease.end();
      const last = lease.item();
      if (isInterrupt(err) || stopped.aborted) return await giveBack(client, last);
      if (!isLost(err, lease)) throw err;
      item = await takeAgain(desk, () => claimAgain(desk)(last), summaryLines(last, draft));
    } finally {
      lease.end();
    }
  }
  return null;
}

/** Asks until the draft is accepted. Rejects when the lease is lost or the person stops. */
async function askAndHandIn(desk: Desk, draft: Draft, lease: KeptLease): Promise<HandedIn> {
  const { client, terminal, queue, stopped } = desk;
  const asking: Asking = {
    signal: AbortSignal.any([lease.lost, stopped]),
    footer: () => footerOf(lease.item(), queue),
  };
  const of = { item: lease.item(), draft, asking, terminal };
  for (;;) {
    await interview(of);
    try {
      return await lease.endWith((item) => handIn(client, item, draft));
    } catch (err) {
      if (err instanceof ValidationFailedError) {
        if (!(await askRefused(of, err.detail)) && draft.kind === 'release') throw err;
        continue;
      }
      const mayPass = err instanceof InsuranceVerificationError && !isLost(err, lease);
      if (!mayPass || draft.kind === 'release') throw err;
      // The lease is still renewed; the summary appears again, and the person retries when they choose to.
      terminal.say(`It was not handed in: ${err.message}. Your answers are kept.`);
    }
  }
}

/** Claims for the same channel only: a finding from a portal must not be handed in as one from the phone. */
function claimAgain({ client }: Desk) {
  return (item: WorkItem) =>
    client.work.claimRequest({ request_id: leaseOf(item).request_id, channels: [item.channel] });
}

/** What a person must keep in sight while typing. */
function footerOf({ channel, lease_expires_at }: WorkItem, queue: WatchedQueue): string {
  const until = new Date(lease_expires_at).toTimeString().slice(0, 5);
  const count = queue.waitingCount();
  return `${channel}, leased to ${until}, renewed by itself${count === null ? '' : ` · ${count} waiting`}`;
}

async function giveBack(client: RestClient, item: WorkItem): Promise<never> {
  try {
    await client.work.release({ ...leaseOf(item), reason: 'The verifier stopped.' });
  } catch (err) {
    if (!(err instanceof ConflictError)) throw err;
    throw new CommandFailedError('Stopped. The lease was lost before: someone else may have the request.');
  }
  throw new CommandFailedError('Stopped. The request is in the queue again.');
}

function isLost(err: unknown, lease: KeptLease): boolean {
  return lease.lost.aborted || err instanceof ConflictError || err instanceof NotFoundError;
}

/** Ctrl-C. */
function isInterrupt(err: unknown): boolean {
  return err instanceof Error && err.name === 'ExitPromptError';
}
