import { type ReactNode, useEffect, useRef } from 'react';
import css from './page.module.css';
import { useTopOfPage } from './use-place.ts';
import { useTitle } from './use-title.ts';

interface PageProps {
  readonly title: string;
  /** Shown in place of the title, where it is more than a text. */
  readonly heading?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** One page: its heading gets the focus when it comes on screen, so that a screen reader says where one is. */
export function Page({ title, heading = title, actions, children }: PageProps) {
  useTitle(title);
  useTopOfPage(title);
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => ref.current?.focus({ preventScroll: true }), [title]);
  return (
    <main className={css.page} id="main">
      <header className={css.head}>
        <h1 ref={ref} tabIndex={-1}>
          {heading}
        </h1>
        {actions && <div className={css.actions}>{actions}</div>}
      </header>
      {children}
    </main>
  );
}
