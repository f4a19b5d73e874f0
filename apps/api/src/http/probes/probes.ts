import { checkDatabase, checkWritable, type Store } from '@insurance-verification/store';
import Router from '@koa/router';
import type { CallState } from '../../procedure/context/app.ts';
import { ProblemError } from '../../procedure/problem.ts';
import type { Shortage } from '../../telemetry/shortage.ts';
import { shareAnswer } from '../rest.ts';

export interface ProbesOptions {
  readonly store: Store;
  /** What the file with this service's address contains. */
  readonly instance: string;
  /** False while the process drains: `/readyz` then answers 503. */
  readonly isReady: () => boolean;
  readonly shortage: Shortage;
}

/** Milliseconds for which one database answer serves every probe. */
const READY_REUSE_MS = 1_000;

/** What a platform asks a process: is it alive, and may it get traffic. */
export function createProbesRouter({ store, instance, isReady, shortage }: ProbesOptions): Router<CallState> {
  const router = new Router<CallState>({ strict: true, sensitive: true });
  // Open to all clients at any rate: the database is asked once a second.
  const askDatabase = shareAnswer(READY_REUSE_MS, async () => {
    await checkDatabase(store);
    await checkWritable(store);
  });
  router.get('/livez', (koa) => {
    koa.state.operation = 'livez';
    koa.set('instance', instance);
    koa.body = { status: 'alive' };
  });
  router.get('/readyz', async (koa) => {
    koa.state.operation = 'readyz';
    if (!isReady() || shortage.lasts()) throw new ProblemError('unavailable');
    await askDatabase();
    koa.body = { status: 'ready' };
  });
  return router;
}
