import Router from '@koa/router';
import { DEMO_RECEIVER_PATH } from '../../intake/play-demo.ts';
import type { RestState } from '../rest/rest.ts';
import { receiveDemo } from './receive-demo.ts';

/** Receives the webhooks of demo requests. Never served in production. */
export function createDemoRouter(): Router<RestState> {
  const router = new Router<RestState>({ strict: true, sensitive: true });
  router.post(DEMO_RECEIVER_PATH, receiveDemo);
  return router;
}
