import { type ReactNode, useEffect, useState } from 'react';
import { Icon } from '../icon.tsx';
import css from './notice.module.css';

interface NoticeProps {
  readonly tone: 'bad' | 'warn' | 'good';
  readonly children: ReactNode;
  /** What can be done about it. */
  readonly action?: ReactNode;
}

/** A status that comes with its words is not spoken: the words come this long after it. */
const WORDS_AFTER_MS = 100;

/** What happened, told to whoever sees and whoever listens: what is wrong before all else, the rest in its turn. */
export function Notice({ tone, children, action }: NoticeProps) {
  const isStatus = tone === 'good';
  const [isThere, setIsThere] = useState(!isStatus);
  useEffect(() => {
    const timer = setTimeout(() => setIsThere(true), WORDS_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={`${css.notice} ${css[tone]}`} role={isStatus ? 'status' : 'alert'}>
      <Icon name={tone} />
      <div>{isThere && children}</div>
      {action}
    </div>
  );
}
