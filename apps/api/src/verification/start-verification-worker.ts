import { setTimeout } from 'node:timers/promises';
import {
  advanceWork,
  type Caller,
  DEFAULT_ACCOUNT_ID,
  type OverduePlace,
  type Route,
  type Store,
  writeOverdueEvents,
} from '@insurance-verification/store';
import type { Hints } from '../procedure/context/app.ts';
import type { BatchPace } from '../queue/batch-pace.ts';
import { startPolling } from '../queue/start-polling.ts';
import { createFailureLog, type Log } from '../telemetry/log.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import { answerSandbox, CORRECTED_SECONDS, correctSandbox } from './sandbox.ts';

/** The verification role of one process: the queue's time-based work, and the sandbox. */
export interface VerificationWorker {
  /** Resolves when nothing is under way. */
  readonly stop: () => Promise<void>;
}

export interface VerificationTools {
  readonly store: Store;
  readonly routes: readonly Route[];
  readonly wakeDelivery: () => void;
  readonly hints: Hints;
  readonly batchPace: BatchPace;
  readonly tracing: Tracing | undefined;
  readonly log: Log;
}

/** How the access log and the evidence name the sandbox. */
const SANDBOX: Caller = {
  keyId: 'sandbox',
  accountId: DEFAULT_ACCOUNT_ID,
  mode: 'test',
  acrossAccounts: true,
};

export function startVerificationWorker(tools: VerificationTools): VerificationWorker {
  const { store, routes, batchPace, tracing, log } = tools;

  let place: OverduePlace | null = null;
  /** Something was overdue since the look at the accounts began again. */
  let isFruitful = false;
  const isCorrectionDue = createCorrectionClock();

  /** A lapsed lease is back at the next cycle, so at most a second after its end. */
  const cycle = async () => {
    const { advancedCount, unreadableIds, hasLate, place: next } = await advanceWork(store, routes, place);
    place = next;
    isFruitful ||= advancedCount > 0;
    const mayHaveMore = isFruitful;
    if (place === null) isFruitful = false;
    for (const requestId of unreadableIds)
      log.error({ request_id: requestId }, 'request unreadable: its encrypted values cannot be decrypted');
    if (hasLate) await writeOverdueEvents(store);
    const sandbox = { store, routes, batchPace, tracing, caller: SANDBOX };
    const { answeredCount, correctedCount } = await answerSandbox(sandbox);
    const appliedCount = isCorrectionDue(correctedCount > 0) ? await correctSandbox(sandbox) : 0;
    if (advancedCount + answeredCount + appliedCount === 0) return mayHaveMore;
    tools.wakeDelivery();
    for (const change of ['request', 'work'] as const) tools.hints.publish(change);
    await setTimeout(batchPace.now.pauseMs); // what the sandbox answered may be a batch
    return true;
  };

  const { stop } = startPolling({
    cycle,
    onFailure: createFailureLog(log, 'a cycle of the verification role failed; the next one tries again'),
  });
  return { stop };
}

/** Milliseconds between two looks at corrections that a process which ended since has left. */
const LEFT_MS = 60_000;

/**
 * Returns whether a cycle looks at the sandbox's corrections: while one of this process waits, else once a minute.
 * `isNew`: the cycle made one.
 */
function createCorrectionClock(): (isNew: boolean) => boolean {
  let madeAt = -Infinity;
  let lookedAt = -Infinity;
  return (isNew) => {
    const now = performance.now();
    if (isNew) madeAt = now;
    if (now - madeAt > 2_000 * CORRECTED_SECONDS && now - lookedAt < LEFT_MS) return false;
    lookedAt = now;
    return true;
  };
}
