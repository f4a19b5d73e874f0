import type { ReactNode } from 'react';
import css from './unseen.module.css';

/** Text for screen readers alone; as a status it is spoken when it changes. */
export function Unseen({ role, children }: { readonly role?: 'status'; readonly children: ReactNode }) {
  return (
    <span className={css.unseen} role={role}>
      {children}
    </span>
  );
}
