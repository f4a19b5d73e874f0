import { lazy, useState } from 'react';
import { serverNow } from '../api/server-time.ts';
import { LateDialog } from '../look/dialog.tsx';
import { Notice } from '../look/notice.tsx';
import { Time } from '../look/time.tsx';
import type { Me } from './use-me.ts';

const EmergencyDialog = lazy(async () => ({
  default: (await import('./emergency-dialog.tsx')).EmergencyDialog,
}));

const isUnderWay = ({ session }: Me): boolean =>
  session?.emergency_until != null && Date.parse(session.emergency_until) > serverNow();

/** A banner while the person has emergency access. */
export function EmergencyBanner({ me }: { readonly me: Me }) {
  const until = me.session?.emergency_until;
  if (!isUnderWay(me) || until == null) return null;
  return (
    <Notice tone="bad">
      Emergency access until <Time at={until} />: you also act as a verifier, on any account. The audit marks
      everything that you do.
    </Notice>
  );
}

/** The operator's button for emergency access. */
export function EmergencyButton({ me }: { readonly me: Me }) {
  const [asks, setAsks] = useState(false);
  if (!me.roles.includes('operator') || isUnderWay(me)) return null;
  return (
    <>
      <button type="button" onClick={() => setAsks(true)}>
        Emergency …
      </button>
      {asks && (
        <LateDialog onClose={() => setAsks(false)}>
          <EmergencyDialog sessionId={me.session?.session_id ?? ''} onClose={() => setAsks(false)} />
        </LateDialog>
      )}
    </>
  );
}
