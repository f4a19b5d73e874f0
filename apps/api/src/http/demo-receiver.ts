import { DEFAULT_ACCOUNT_ID, findTestAccount, getWebhookSecret } from '@insurance-verification/store';
import { verifyWebhook, WebhookVerificationError } from '@insurance-verification/webhook';
import Router from '@koa/router';
import type { ParameterizedContext } from 'koa';
import { allowBody } from '../body/body-memory.ts';
import { readBytes } from '../body/read-body.ts';
import { DEMO_RECEIVER_PATH } from '../demo/play-demo-day.ts';
import type { CallState } from '../procedure/context/app.ts';
import { nothingHere } from '../procedure/problem.ts';

/** Receives the webhooks of demo requests. Never served in production. */
export function createDemoRouter(): Router<CallState> {
  const router = new Router<CallState>({ strict: true, sensitive: true });
  router.post(DEMO_RECEIVER_PATH, (koa) => receiveDemo(koa));
  router.post(`${DEMO_RECEIVER_PATH}/gone`, refuseDemo);
  router.post(`${DEMO_RECEIVER_PATH}/:account_id`, (koa) => receiveDemo(koa));
  return router;
}

type DemoContext = ParameterizedContext<CallState> & { readonly params: Record<string, string | undefined> };

/** How the access log names the receiver, which reads the secret that it checks signatures with. */
const RECEIVER = {
  keyId: 'demo',
  accountId: DEFAULT_ACCOUNT_ID,
  mode: 'test',
  acrossAccounts: true,
} as const;

/** A webhook of the demo day whose receiver wants no more: it is given up at once. */
function refuseDemo(koa: ParameterizedContext<CallState>): void {
  koa.state.operation = 'demo.receive';
  koa.status = 410;
  koa.body = 'The demo receiver is gone.';
}

/** A demo request's webhook: answers as a careful receiver would, and says what it found. */
async function receiveDemo(koa: DemoContext): Promise<void> {
  koa.state.operation = 'demo.receive';
  const { app } = koa.state.context;
  const body = await readBytes(koa.req, allowBody(koa.state.context));
  const found = await findTestAccount(app.store, { caller: RECEIVER, accountId: koa.params['account_id'] });
  if (found.kind !== 'found') throw nothingHere();
  const caller = { ...RECEIVER, accountId: found.accountId };
  const { current, previous } = await getWebhookSecret(app.store, { caller });
  const secrets = previous === null ? [current] : [current, previous];
  koa.type = 'text/plain';
  try {
    await verifyWebhook({ headers: koa.req.headers, body, secrets });
    koa.body = 'The demo receiver checked the signature: it is right.';
  } catch (err) {
    if (!(err instanceof WebhookVerificationError)) throw err;
    koa.status = 400;
    koa.body = `The demo receiver refuses it: ${err.reason}.`;
  }
}
