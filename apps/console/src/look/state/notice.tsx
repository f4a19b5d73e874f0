import type { ReactNode } from 'react';
import { Icon } from '../icon.tsx';
import css from './notice.module.css';

interface NoticeProps {
  readonly tone: 'bad' | 'warn' | 'good';
  readonly children: ReactNode;
  /** What can be done about it. */
  readonly action?: ReactNode;
}

/** What happened, told at once to whoever sees and whoever listens. */
export function Notice({ tone, children, action }: NoticeProps) {
  return (
    <div className={`${css.notice} ${css[tone]}`} role={tone === 'good' ? 'status' : 'alert'}>
      <Icon name={tone} />
      <div>{children}</div>
      {action}
    </div>
  );
}
