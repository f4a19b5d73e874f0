import { DEFAULT_ACCOUNT_ID, findTestAccount, getWebhookSecret } from '@insurance-verification/store';
import { verifyWebhook, WebhookVerificationError } from '@insurance-verification/webhook';
import type { ParameterizedContext } from 'koa';
import { allowBody } from '../../body/allow-body.ts';
import { readBytes } from '../../body/read-bytes.ts';
import type { CallState } from '../../procedure/context/context.ts';
import { nothingHere } from '../../procedure/problem/problem.ts';

type DemoContext = ParameterizedContext<CallState> & { readonly params: Record<string, string | undefined> };

/** How the access log names the receiver, which reads the secret that it checks signatures with. */
const RECEIVER = {
  keyId: 'demo',
  accountId: DEFAULT_ACCOUNT_ID,
  mode: 'test',
  acrossAccounts: true,
} as const;

/** A webhook of the demo day whose receiver wants no more: it is given up at once. */
export function refuseDemo(koa: ParameterizedContext<CallState>): void {
  koa.state.operation = 'demo.receive';
  koa.status = 410;
  koa.body = 'The demo receiver is gone.';
}

/** A demo request's webhook: answers as a careful receiver would, and says what it found. */
export async function receiveDemo(koa: DemoContext): Promise<void> {
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
