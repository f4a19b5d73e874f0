import Router from '@koa/router';
import { DEMO_RECEIVER_PATH } from '../../demo/the-day.ts';
import type { CallState } from '../../procedure/context/context.ts';
import { receiveDemo, refuseDemo } from './receive-demo.ts';

/** Receives the webhooks of demo requests. Never served in production. */
export function createDemoRouter(): Router<CallState> {
  const router = new Router<CallState>({ strict: true, sensitive: true });
  router.post(DEMO_RECEIVER_PATH, receiveDemo);
  router.post(`${DEMO_RECEIVER_PATH}/gone`, refuseDemo);
  router.post(`${DEMO_RECEIVER_PATH}/:account_id`, receiveDemo);
  return router;
}
