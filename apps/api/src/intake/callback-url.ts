import type { UrlRefusal } from '@insurance-verification/webhook';
import type { Context } from '../procedure/context/context.ts';
import { ValidationFailedError } from '../procedure/problem/problem.ts';

const MESSAGES: Record<UrlRefusal, string> = {
  not_https: "URL scheme should be 'https': this service calls no other",
  no_port: 'URL port should not be 0: nothing can listen there',
  blocked_address: 'URL should lead to a public address: this service calls no other',
};

/**
 * Why a callback address can never be called, as far as that is known without a DNS look-up; null when it may be. In
 * production such a request is refused, since its result could never arrive. Elsewhere it is accepted, as broadly as
 * the contract allows, for trials with whatever address is at hand: each attempt then ends as this answer's header says.
 */
export function faultOfCallback({ app, call }: Context, url: string): ValidationFailedError | null {
  const refusal = app.checkCallback(url);
  if (refusal === null) return null;
  if (app.config.production) {
    const loc = ['body', 'callback_url'];
    return new ValidationFailedError([{ loc, msg: MESSAGES[refusal], type: 'callback_url_blocked' }]);
  }
  call.setHeader('Callback-Url-Blocked', refusal);
  return null;
}
