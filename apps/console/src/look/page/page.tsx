import { type ReactNode, useEffect, useRef } from 'react';
import { CopyButton } from '../button/copy-button.tsx';
import { Unanswered } from '../state/unanswered.tsx';
import css from './page.module.css';
import { useTopOfPage } from './use-place.ts';
import { useTitle } from './use-title.ts';

interface PageProps {
  readonly title: string;
  /** The noun of the id in the title, which a click then copies; without it the title is no id. */
  readonly idOf?: string;
  readonly actions?: ReactNode;
  /** What narrows a list, beside its title. */
  readonly filters?: ReactNode;
  readonly children: ReactNode;
}

/** A page with its heading, which gets the focus, so that a screen reader speaks it. */
export function Page({ title, idOf, actions, filters, children }: PageProps) {
  useTitle(title);
  useTopOfPage(title);
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => ref.current?.focus({ preventScroll: true }), [title]);
  return (
    <main className={css.page} id="main">
      <header className={css.head}>
        <div className={css.title}>
          <h1 ref={ref} tabIndex={-1}>
            {idOf === undefined ? title : <code>{title}</code>}
          </h1>
          {idOf !== undefined && <CopyButton text={title} name={`the ${idOf} id`} />}
        </div>
        {filters}
        {actions && <div className={css.actions}>{actions}</div>}
      </header>
      <Unanswered />
      {children}
    </main>
  );
}
