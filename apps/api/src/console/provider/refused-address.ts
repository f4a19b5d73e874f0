import type { SignInRefusal } from '@insurance-verification/schema';
import type { ParameterizedContext } from 'koa';
import type { CallState } from '../../procedure/context/context.ts';

/**
 * Records in the audit why a sign-in failed, and gives the address of the sign-in page that says it and then leads on to
 * `to`. What the library said goes to the log, without its payloads.
 */
export async function refusedAddress(
  koa: ParameterizedContext<CallState>,
  { kind, cause }: { readonly kind: SignInRefusal; readonly cause?: unknown },
  to?: string,
): Promise<string> {
  const { app, call } = koa.state.context;
  const { log } = app;
  await app.recordRefusal({ way: 'provider', refusal: kind, address: call.address });
  const line = { reason: kind, ...(cause !== undefined && { cause: causeOf(cause) }) };
  log.warn(line, 'a sign-in with the identity provider failed');
  const search = new URLSearchParams({ failed: kind, ...(to !== undefined && { to }) });
  return `/console/sign-in?${search.toString()}`;
}

/**
 * The codes and messages of an error and its causes. Their other members hold tokens and claims, and are not logged.
 */
function causeOf(err: unknown): string {
  if (!(err instanceof Error)) return String(err);
  const { code } = err as { code?: unknown };
  const said = typeof code === 'string' ? `${err.message} (${code})` : err.message;
  return err.cause instanceof Error ? `${said}: ${causeOf(err.cause)}` : said;
}
