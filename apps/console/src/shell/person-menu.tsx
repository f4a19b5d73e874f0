import { lazy, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useKeyOf } from '../keys/use-keys.ts';
import { LateDialog } from '../look/dialog.tsx';
import { HelpLink } from '../look/page.tsx';
import { toggleUtc, useZone } from '../look/time.tsx';
import { EmergencyButton } from '../session/emergency.tsx';
import type { Me } from '../session/use-me.ts';
import css from './shell.module.css';

interface PersonMenuProps {
  readonly me: Me;
  readonly path: string;
  readonly onKeys: () => void;
  readonly onLeave: () => void;
}

/** The menu under the person's name. It closes on Escape, and when the focus or the page leaves it. */
export function PersonMenu({ me, path, onKeys, onLeave }: PersonMenuProps) {
  const ref = useRef<HTMLDetailsElement>(null);
  const { zone, isNamed } = useZone();
  const keyOf = useKeyOf();
  const close = () => ref.current?.removeAttribute('open');
  useEffect(close, [path]);
  return (
    <details
      ref={ref}
      className={css.person}
      onBlur={({ relatedTarget, currentTarget }) => {
        // A dialog of the menu is in it: it stays while the dialog is open, wherever that is clicked.
        if (!currentTarget.contains(relatedTarget) && !currentTarget.querySelector('dialog[open]')) close();
      }}
      onKeyDown={({ key, target, currentTarget }) => {
        // A dialog that the menu has opened closes first, by itself.
        if (key !== 'Escape' || (target as HTMLElement).closest('dialog')) return;
        close();
        currentTarget.querySelector('summary')?.focus();
      }}
    >
      <summary>
        <strong>{me.name}</strong>
        <span>{me.roles.join(', ')}</span>
      </summary>
      <ul>
        <li>
          <AccountButton me={me} />
        </li>
        <li>
          <HelpLink path={path} />
        </li>
        <li>
          <button type="button" onClick={onKeys} aria-keyshortcuts={keyOf('keys')}>
            Keys {keyOf('keys')}
          </button>
        </li>
        <li>
          <button
            type="button"
            onClick={toggleUtc}
            aria-pressed={isNamed && zone === 'UTC'}
            aria-keyshortcuts={keyOf('utc')}
          >
            UTC
          </button>
        </li>
        <li>
          <Link href="/settings" aria-current={path === '/settings' ? 'page' : undefined}>
            Settings
          </Link>
        </li>
        <li>
          <EmergencyButton me={me} />
        </li>
        <li>
          <button type="button" onClick={onLeave}>
            Sign out
          </button>
        </li>
      </ul>
    </details>
  );
}

const AccountDialog = lazy(async () => ({
  default: (await import('../access/account-dialog.tsx')).AccountDialog,
}));

/** Whether what somebody does here depends on the account that they act for. */
const isOfOneAccount = ({ scopes, read_scopes: readScopes }: Me): boolean =>
  [...scopes, ...readScopes].some((scope) => scope === 'requests' || scope === 'secrets');

/**
 * A button with the account that this tab acts for; it opens the dialog that chooses another. For people of the
 * platform alone.
 */
function AccountButton({ me }: { readonly me: Me }) {
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
