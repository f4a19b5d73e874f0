import type { Received } from '@insurance-verification/testing/a-receiver';
import { Webhook } from 'standardwebhooks';
import { WEBHOOK_SECRET } from './a-service.ts';

/** The body, if the Standard Webhooks library verifies its signature. @throws when it does not */
export function verified({ headers, body }: Received, secret: string = WEBHOOK_SECRET): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}
