import type { UrlRefusal } from '@insurance-verification/webhook';
import type { Context } from '../procedure/context/context.ts';
import { ValidationFailedError } from '../procedure/problem/problem.ts';

const MESSAGES: Record<UrlRefusal, string> = {
  not_https: "URL scheme should be 'https': this service calls no other",
  blocked_address: 'URL should lead to a public address: this service calls no other',
};

/**
 * Handles a callback address that can never be called, as far as that is known without a DNS look-up. In production the
 * request is refused, since its result could never arrive. Elsewhere it is accepted, as broadly as the contract allows,
 * for trials with whatever address is at hand: each attempt then ends as this answer's header says.
 * @throws {ValidationFailedError} `callback_url_blocked`
 */
export function refuseOrTellCallback({ app, call }: Context, url: string): void {
  const refusal = app.checkCallback(url);
  if (refusal === null) return;
  if (app.config.production) {
    const loc = ['body', 'callback_url'];
    throw new ValidationFailedError([{ loc, msg: MESSAGES[refusal], type: 'callback_url_blocked' }]);
  }
  call.setHeader('Callback-Url-Blocked', refusal);
}
