import type { ReactNode } from 'react';
import css from './unseen.module.css';

/** Words for whoever listens alone; as a status, they are spoken when they change. */
export function Unseen({ role, children }: { readonly role?: 'status'; readonly children: ReactNode }) {
  return (
    <span className={css.unseen} role={role}>
      {children}
    </span>
  );
}
