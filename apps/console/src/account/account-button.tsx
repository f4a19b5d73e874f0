import { lazy, useState } from 'react';
import { LateDialog } from '../look/dialog/late-dialog.tsx';
import type { Me } from '../session/use-me.ts';

const AccountDialog = lazy(async () => ({ default: (await import('./account-dialog.tsx')).AccountDialog }));

/** Whether what somebody does here depends on the account that they act for. */
const isOfOneAccount = ({ scopes, read_scopes: readScopes }: Me): boolean =>
  [...scopes, ...readScopes].some((scope) => scope === 'requests' || scope === 'secrets');

/**
 * A button with the account that this tab acts for; it opens the dialog that chooses another. For people of the
 * platform alone.
 */
export function AccountButton({ me }: { readonly me: Me }) {
  const [chooses, setChooses] = useState(false);
  if (!me.session?.may_switch || !isOfOneAccount(me)) return null;
  return (
    <>
      <button type="button" onClick={() => setChooses(true)}>
        For {me.session.account_name} …
      </button>
      {chooses && (
        <LateDialog onClose={() => setChooses(false)}>
          <AccountDialog me={me} onClose={() => setChooses(false)} />
        </LateDialog>
      )}
    </>
  );
}
