import type { Myself } from '@insurance-verification/schema';
import type { LiveKey } from '@insurance-verification/store';

/** A caller as it sees itself. */
export function toMyself({ keyId, scopes, readScopes = [], accountId, session }: LiveKey): Myself {
  return {
    id: keyId,
    name: session?.name ?? null,
    roles: [...(session?.roles ?? [])],
    scopes: [...scopes],
    read_scopes: [...readScopes],
    account_id: accountId,
    session: session
      ? {
          session_id: session.sessionId,
          account_name: session.accountName,
          may_switch: session.maySwitch,
          idle_ends_at: session.idleEndsAt.toISOString(),
          ends_at: session.endsAt.toISOString(),
          emergency_until: session.emergencyUntil?.toISOString() ?? null,
          fresh_until: session.freshUntil?.toISOString() ?? null,
        }
      : null,
  };
}
