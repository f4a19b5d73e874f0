import type { StaffLink } from '@insurance-verification/schema';
import { createSignInLink, type LiveKey } from '@insurance-verification/store';
import type { Context } from '../procedure/context/context.ts';
import { refuse } from '../procedure/problem/refuse.ts';

/** Counts a link before anything is made. @throws {ProblemError} `rate_limited` */
export async function countLink({ app, call }: Context): Promise<void> {
  if (app.config.hasConsole) await app.limiter.countSignInLink(call);
}

/**
 * A new one-time link for a person; null without a console to sign in to.
 * @throws {ProblemError} `not_found` for a person out of the caller's reach, or without access any more.
 */
export async function makeLink(
  { app, caller }: Context & { readonly caller: LiveKey },
  staffId: string,
): Promise<StaffLink['link']> {
  if (!app.config.hasConsole) return null;
  const created = await createSignInLink(app.store, {
    caller,
    staffId,
    purpose: app.config.provider ? 'invites' : 'signsIn',
  });
  if (created.kind !== 'created') return refuse(created);
  return { path: `/console/sign-in#${created.token}`, expires_at: created.expiresAt.toISOString() };
}
