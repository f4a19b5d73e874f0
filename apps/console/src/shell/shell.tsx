import { useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { AccountButton } from '../account/account-button.tsx';
import { useKeptSettings } from '../api/keep-settings.ts';
import { useKeyOf, useKeys } from '../keys/use-keys.ts';
import { LiveStatus } from '../live/live-status.tsx';
import { Button } from '../look/button/button.tsx';
import { LateDialog } from '../look/dialog/late-dialog.tsx';
import { Logo } from '../look/logo.tsx';
import { HelpLink } from '../look/page/help-link.tsx';
import { Late } from '../look/state/late.tsx';
import { toggleUtc, useZone } from '../look/time/zone.ts';
import { EmergencyBanner, EmergencyButton } from '../session/emergency/emergency.tsx';
import { EndWarning } from '../session/end-warning.tsx';
import { FreshSignInDialog } from '../session/sign-in/fresh-sign-in-dialog.tsx';
import { loadWaysBack } from '../session/sign-in/late-ways-back.tsx';
import { signOut } from '../session/sign-out.ts';
import { SignedOutDialog } from '../session/signed-out-dialog.tsx';
import type { Me } from '../session/use-me.ts';
import { useOutbox } from '../work/outbox/outbox.ts';
import { Allowed } from './allowed.tsx';
import { placeAt, placesOf } from './places.ts';
import css from './shell.module.css';
import { useZoneInAddress } from './use-zone-in-address.ts';

const KeysDialog = lazy(async () => ({ default: (await import('../keys/keys-dialog.tsx')).KeysDialog }));
const OutboxBar = lazy(async () => ({
  default: (await import('../work/outbox/outbox-bar.tsx')).OutboxBar,
}));

/** The frame of every page: navigation, the signed-in person, settings and sign-out. */
export function Shell({ me, children }: { readonly me: Me; readonly children: ReactNode }) {
  const [path, go] = useLocation();
  const queries = useQueryClient();
  const [showsKeys, setShowsKeys] = useState(false);
  // Where the screen is narrow, the pages are unfolded on demand, and folded again wherever they lead.
  const [unfoldedAt, setUnfoldedAt] = useState<string | null>(null);
  const isUnfolded = unfoldedAt === path;
  const { results, told } = useOutbox();
  const { zone, isNamed } = useZone();
  const keyOf = useKeyOf();
  const places = placesOf(me);
  const here = placeAt(path);
  useKeptSettings();
  useZoneInAddress();
  useEffect(loadWaysBack, []);
  useKeys({ utc: toggleUtc, keys: () => setShowsKeys(true) });

  const leave = async () => {
    await signOut();
    queries.clear();
    go('/sign-in', { replace: true });
  };
  return (
    <div className={css.shell}>
      <a className={css.skip} href="#main">
        Skip to the page
      </a>
      <header className={css.side}>
        <p className={css.product}>
          <Logo />
          <span>Insurance Verification</span>
        </p>
        <Button
          className={css.unfold}
          aria-expanded={isUnfolded}
          aria-controls="fold"
          onClick={() => setUnfoldedAt(isUnfolded ? null : path)}
        >
          Menu
          <svg
            width="16"
            height="16"
            viewBox="0 0 16 16"
            fill="none"
            stroke="currentColor"
            aria-hidden="true"
          >
            <path d="M4 6.5l4 4 4-4" strokeWidth="1.6" strokeLinecap="round" strokeLinejoin="round" />
          </svg>
        </Button>
        <div className={css.fold} id="fold" data-unfolded={isUnfolded}>
          <nav aria-label="Pages" hidden={places.length === 0}>
            <ul className={css.places}>
              {places.map((place) => (
                <li key={place.path}>
                  <Link
                    href={place.path}
                    className={css.place}
                    aria-current={place === here ? 'page' : undefined}
                  >
                    {place.name}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
          <div className={css.person}>
            <LiveStatus />
            <p className={css.name}>
              <strong>{me.name}</strong>
              <span>{me.roles.join(', ')}</span>
            </p>
            <div className={css.ways}>
              <AccountButton me={me} />
              <HelpLink path={path} />
              <button type="button" onClick={() => setShowsKeys(true)} aria-keyshortcuts={keyOf('keys')}>
                Keys {keyOf('keys')}
              </button>
              <button
                type="button"
                onClick={toggleUtc}
                aria-pressed={isNamed && zone === 'UTC'}
                aria-keyshortcuts={keyOf('utc')}
              >
                UTC
              </button>
              <Link href="/settings" aria-current={path === '/settings' ? 'page' : undefined}>
                Settings
              </Link>
              <EmergencyButton me={me} />
              <button type="button" onClick={() => void leave()}>
                Sign out
              </button>
            </div>
          </div>
        </div>
      </header>
      <div className={css.body}>
        <EmergencyBanner me={me} />
        <Allowed me={me}>{children}</Allowed>
        {(results.length > 0 || told !== null) && (
          <Late>
            <OutboxBar />
          </Late>
        )}
      </div>
      {showsKeys && (
        <LateDialog onClose={() => setShowsKeys(false)}>
          <KeysDialog onClose={() => setShowsKeys(false)} />
        </LateDialog>
      )}
      <SignedOutDialog me={me} />
      <FreshSignInDialog me={me} />
      <EndWarning me={me} />
    </div>
  );
}
