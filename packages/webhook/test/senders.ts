import {
  createWebhookSender,
  type SendResult,
  type WebhookSender,
  type WebhookSenderOptions,
} from '../src/index.ts';

/** A sender that may reach loopback, over http, and closes itself at the end of the test. */
export function aSender(options: Partial<WebhookSenderOptions> = {}): WebhookSender & AsyncDisposable {
  const sender = createWebhookSender({
    allowCidrs: ['127.0.0.0/8', '::1/128'],
    httpsOnly: false,
    ...options,
  });
  return { ...sender, [Symbol.asyncDispose]: () => sender.close() };
}

/** One attempt with a small body. */
export function post(sender: WebhookSender, url: string): Promise<SendResult> {
  return sender.send({ url, headers: { 'content-type': 'application/json' }, body: Buffer.from('{"a":1}') });
}
