import { type ReactNode, useEffect, useRef } from 'react';
import { CopyButton } from '../button/copy-button.tsx';
import { Unanswered } from '../state/unanswered.tsx';
import css from './page.module.css';
import { useTopOfPage } from './use-place.ts';
import { useTitle } from './use-title.ts';

interface PageProps {
  /** Of the tab; without `heading` of the page too. */
  readonly title: string;
  /** What stands over the page where the tab must not say it, such as a patient's initials. */
  readonly heading?: string | undefined;
  /** What the page is about, under the heading; a click copies it. `of`: the noun. */
  readonly id?: { readonly of: string; readonly text: string };
  readonly actions?: ReactNode;
  /** What narrows a list, beside its title. */
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
        {actions && <div className={css.actions}>{actions}</div>}
      </header>
      <Unanswered />
      {children}
    </main>
  );
}
