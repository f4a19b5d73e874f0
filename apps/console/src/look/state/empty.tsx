import type { ReactNode } from 'react';
import css from './empty.module.css';

/** In place of an empty list: what would fill it. */
export function Empty({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className={css.empty}>
      <h2>{title}</h2>
      <div>{children}</div>
    </div>
  );
}
