import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { CopyButton } from './button.tsx';
import { helpOf } from './help-of.ts';
import { Unanswered } from './late.tsx';
import layoutCss from './layout.module.css';
import { SkeletonRows } from './loaded.tsx';
import { Unseen } from './mark.tsx';
import css from './page.module.css';
import { shownText } from './text/shown-text.ts';

interface PageProps {
  /** Of the tab; without `heading` of the page too. */
  readonly title: string;
  /** The heading of the page where the tab must not show it, such as a patient's initials. */
  readonly heading?: string | undefined;
  /** What the page is about, under the heading; a click copies it. `of`: the noun. */
  readonly id?: { readonly of: string; readonly text: string };
  /** What the page can do, which the palette offers too. */
  readonly actions?: ReactNode;
  /** The filters of a list, next to its title. */
  readonly filters?: ReactNode;
  readonly children: ReactNode;
}

/** A page with its heading, which gets the focus, so that a screen reader speaks it. */
export function Page({ title, heading = title, id, actions, filters, children }: PageProps) {
  // A heading changes when what it names is read: the page stays the same.
  const page = id?.text ?? title;
  useTitle(title);
  useTopOfPage(page);
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // A menu that was opened while the page came keeps the focus, and so stays open.
    if (!document.querySelector('header details[open]')) ref.current?.focus({ preventScroll: true });
  }, [page]);
  return (
    <main className={css.page} id="main">
      <header className={css.head}>
        <div className={css.title}>
          <h1 ref={ref} tabIndex={-1}>
            {heading}
          </h1>
          {id && (
            <p className={css.id}>
              <code>{id.text}</code>
              <CopyButton text={id.text} name={`the ${id.of} id`} />
            </p>
          )}
        </div>
        {filters}
        {actions && (
          <div className={layoutCss.row} data-actions="">
            {actions}
          </div>
        )}
      </header>
      <Unanswered />
      {children}
    </main>
  );
}

/** A link to the help of a page. It opens another tab, so that typed text stays. */
export function HelpLink({ path }: { readonly path: string }) {
  return (
    <a href={helpOf(path)} target="_blank" rel="noreferrer">
      Help<Unseen> with this page, in a new tab</Unseen>
    </a>
  );
}

/** Sets the title of the tab. It never holds patient data. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${shownText(title)} · Insurance Verification`;
  }, [title]);
}

/** In place of a page that is not there yet. */
export const WaitingPage = () => (
  <main aria-busy="true" style={{ padding: '20px 24px' }}>
    <SkeletonRows count={8} />
  </main>
);

/** The scroll position of each address, in pixels. */
const places = new Map<string, number>();
let cameBack = false;
/** The path that Back led to: a change of the query string only, such as the zone, does not leave it. */
let cameTo = '';

const note = () => places.set(location.href, scrollY);
addEventListener('scroll', note, { passive: true });
addEventListener('popstate', () => {
  cameBack = true;
  cameTo = location.pathname;
});
// wouter's own names, sent whenever the address is changed.
addEventListener('pushState', () => (cameBack = false));
addEventListener('replaceState', () => (cameBack &&= location.pathname === cameTo));
// The browser would do it before the page has its rows again.
history.scrollRestoration = 'manual';

/** Scrolls a new page to its top, unless Back led to it. */
function useTopOfPage(title: string): void {
  useLayoutEffect(() => {
    if (!cameBack) scrollTo(0, 0);
  }, [title]);
}

/** Restores the scroll position after Back, once the rows are loaded. */
export function useKeptPlace(isThere: boolean): void {
  useEffect(() => {
    if (isThere && cameBack) scrollTo(0, places.get(location.href) ?? 0);
  }, [isThere]);
}
