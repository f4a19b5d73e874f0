import Router from '@koa/router';
import { checkDatabase, type Store } from '@insurance-verification/store';
import { ProblemError } from './problem.ts';
import type { RestState } from './rest.ts';

export interface ProbesOptions {
  readonly store: Store;
  /** False while the process drains: `/readyz` then answers 503. */
  readonly isReady: () => boolean;
}

/** What a platform asks a process: is it alive, may it get traffic. */
export function createProbesRouter({ store, isReady }: ProbesOptions): Router<RestState> {
  const router = new Router<RestState>({ strict: true, sensitive: true });
  router.get('/livez', (koa) => {
    koa.state.operation = 'livez';
    koa.body = { status: 'alive' };
  });
  router.get('/readyz', async (koa) => {
    koa.state.operation = 'readyz';
    if (!isReady()) throw new ProblemError('unavailable');
    await checkDatabase(store);
    koa.body = { status: 'ready' };
  });
  return router;
}
