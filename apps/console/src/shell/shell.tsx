import { useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useKeptSettings } from '../api/settings.ts';
import { useKeys } from '../keys/use-keys.ts';
import { LiveStatus } from '../live/live-status.tsx';
import { Button } from '../look/button.tsx';
import { LateDialog } from '../look/dialog.tsx';
import { Late } from '../look/late.tsx';
import { Logo, Unseen } from '../look/mark.tsx';
import { NoPermission } from '../look/notice.tsx';
import { Page } from '../look/page.tsx';
import { toggleUtc } from '../look/time.tsx';
import { EmergencyBanner } from '../session/emergency.tsx';
import { signOut } from '../session/post.ts';
import { EndWarning, FreshSignInDialog, loadWaysBack, SignedOutDialog } from '../session/session-dialogs.tsx';
import type { Me } from '../session/use-me.ts';
import { DemoBanner } from '../start/clear-demo-day.tsx';
import { useOutbox } from '../work/outbox.tsx';
import { PersonMenu } from './person-menu.tsx';
import {
  type Count as PlaceCount,
  placeAt,
  placeClosedTo,
  placesOf,
  useCounts,
  useZoneInAddress,
} from './places.ts';
import css from './shell.module.css';

const KeysDialog = lazy(async () => ({ default: (await import('../keys/keys-dialog.tsx')).KeysDialog }));
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));
const OutboxBar = lazy(async () => ({
  default: (await import('../work/outbox-bar.tsx')).OutboxBar,
}));

/** The frame of every page: navigation, the signed-in person, settings and sign-out. */
export function Shell({ me, children }: { readonly me: Me; readonly children: ReactNode }) {
  const [path, go] = useLocation();
  const queries = useQueryClient();
  const [showsKeys, setShowsKeys] = useState(false);
  const [showsPalette, setShowsPalette] = useState(false);
  // Where the screen is narrow, the pages are unfolded on demand, and folded again wherever they lead.
  const [unfoldedAt, setUnfoldedAt] = useState<string | null>(null);
  const isUnfolded = unfoldedAt === path;
  const { results, outcome } = useOutbox();
  const places = placesOf(me);
  const counts = useCounts(me);
  const here = placeAt(path);
  useKeptSettings();
  useZoneInAddress();
  useEffect(loadWaysBack, []);
  useKeys({
    utc: toggleUtc,
    keys: () => setShowsKeys(true),
    'Control+k': () => setShowsPalette(true),
  });

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
              {places.map((place) => {
                const count = counts.get(place.path);
                return (
                  <li key={place.path} className={css.item}>
                    <Link
                      href={place.path}
                      className={css.place}
                      aria-current={place === here ? 'page' : undefined}
                    >
                      {place.name}
                      {count && !count.href && (
                        <span className={css.count}>
                          {shortOf(count)}
                          <Unseen> {count.word}</Unseen>
                        </span>
                      )}
                    </Link>
                    {count?.href && (
                      <Link href={count.href} className={css.call}>
                        {shortOf(count)} {count.word}
                      </Link>
                    )}
                  </li>
                );
              })}
            </ul>
          </nav>
          <div className={css.foot}>
            <LiveStatus />
            <PersonMenu me={me} path={path} onKeys={() => setShowsKeys(true)} onLeave={() => void leave()} />
          </div>
        </div>
      </header>
      <div className={css.body}>
        <EmergencyBanner me={me} />
        <DemoBanner />
        <Allowed me={me}>{children}</Allowed>
        {(results.length > 0 || outcome !== null) && (
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
      {showsPalette && (
        <LateDialog onClose={() => setShowsPalette(false)}>
          <Palette me={me} onClose={() => setShowsPalette(false)} />
        </LateDialog>
      )}
      <SignedOutDialog me={me} />
      <FreshSignInDialog me={me} />
      <EndWarning me={me} />
    </div>
  );
}

const shortOf = ({ count }: PlaceCount): string => (count > 999 ? '999+' : String(count));

/**
 * Shows which role a page needs where the person lacks it, instead of the page. The service checks each call anyway.
 */
function Allowed({ me, children }: { readonly me: Me; readonly children: ReactNode }) {
  const [path] = useLocation();
  const closed = placeClosedTo(me, path);
  if (!closed) return <>{children}</>;
  return (
    <Page title={closed.name}>
      <NoPermission scopes={closed.scopes} />
    </Page>
  );
}
