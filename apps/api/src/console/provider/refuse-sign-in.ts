import type { SignInRefusal } from '@insurance-verification/schema';
import type { ParameterizedContext } from 'koa';
import type { CallState } from '../../procedure/context/context.ts';

/** Leads to the sign-in page, which says why it failed and then leads on to `to`. What the library said is for the log, without its payloads. */
export function refuseSignIn(
  koa: ParameterizedContext<CallState>,
  { kind, cause }: { readonly kind: SignInRefusal; readonly cause?: unknown },
  to?: string,
): void {
  const { log } = koa.state.context.app;
  const line = { reason: kind, ...(cause !== undefined && { cause: causeOf(cause) }) };
  log.warn(line, 'a sign-in with the identity provider failed');
  koa.status = 303;
  const search = new URLSearchParams({ failed: kind, ...(to !== undefined && { to }) });
  koa.redirect(`/console/sign-in?${search.toString()}`);
}

/** The codes and messages of an error and of what caused it: their other members hold tokens and claims. */
function causeOf(err: unknown): string {
  if (!(err instanceof Error)) return String(err);
  const { code } = err as { code?: unknown };
  const said = typeof code === 'string' ? `${err.message} (${code})` : err.message;
  return err.cause instanceof Error ? `${said}: ${causeOf(err.cause)}` : said;
}
