import { BodyAllowance } from '../procedure/context/call/body-allowance.ts';
import type { Context } from '../procedure/context/context.ts';

/**
 * The body allowance of a call; released when the call is answered. Authenticate first: the owner is the call's account
 * or, without a key, its client.
 */
export function allowBody({ app, call }: Context): BodyAllowance {
  const owner = call.key
    ? { id: call.key.accountId, isStranger: false }
    : { id: call.client, isStranger: true };
  return (call.bodyAllowance ??= new BodyAllowance(
    app.bodyMemory,
    owner,
    Math.min(app.config.bodyBytesMax, call.strangerBytesMax ?? Number.POSITIVE_INFINITY),
  ));
}
