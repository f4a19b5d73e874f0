import { advanceWork, DEFAULT_ACCOUNT_ID, type Route, type Store } from '@insurance-verification/store';
import type { Log } from '../log.ts';
import { answerSandbox } from './answer-sandbox.ts';

/** The verification role of one process: what time does to the work queue, and the sandbox. */
export interface VerificationWorker {
  /** Resolves when nothing is under way. */
  readonly stop: () => Promise<void>;
}

export interface VerificationTools {
  readonly store: Store;
  readonly routes: readonly Route[];
  readonly wakeDelivery: () => void;
  readonly log: Log;
}

/** A lapsed lease is back this long after its end, at most. */
const TURN_MS = 1_000;

/** Who the access log and the evidence say the sandbox is. */
const SANDBOX = { keyId: 'sandbox', accountId: DEFAULT_ACCOUNT_ID };

export function startVerificationWorker(tools: VerificationTools): VerificationWorker {
  let stopped = false;
  let endWait: (() => void) | undefined;

  const turn = async () => {
    const { store, routes, log } = tools;
    try {
      const { advancedCount, unreadableIds } = await advanceWork(store, routes);
      for (const requestId of unreadableIds)
        log.error({ request_id: requestId }, 'request unreadable: its sealed values do not open');
      const answeredCount = await answerSandbox(store, routes, SANDBOX);
      if (advancedCount + answeredCount > 0) tools.wakeDelivery();
      return answeredCount > 0;
    } catch (err) {
      log.warn({ err }, 'a turn of the verification role failed; the next one tries again');
      return false;
    }
  };

  const wait = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, TURN_MS);
      endWait = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const run = async () => {
    while (!stopped) {
      const mayHaveMore = await turn();
      if (!mayHaveMore && !stopped) await wait();
    }
  };
  const loop = run();

  return {
    stop: async () => {
      stopped = true;
      endWait?.();
      await loop;
    },
  };
}
