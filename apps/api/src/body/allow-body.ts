import { BodyAllowance } from '../procedure/context/body-allowance.ts';
import type { Context } from '../procedure/context/context.ts';

/** What the body of a call may take, given back when the call is answered. Whose it is was asked for before. */
export function allowBody({ app, call }: Context): BodyAllowance {
  const owner = call.key
    ? { id: call.key.accountId, isStranger: false }
    : { id: call.client, isStranger: true };
  return (call.bodyAllowance ??= new BodyAllowance(
    app.bodyRoom,
    owner,
    Math.min(app.config.bodyBytesMax, call.strangerBytesMax ?? Number.POSITIVE_INFINITY),
  ));
}
