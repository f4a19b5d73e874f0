import { type ReactNode, useEffect, useState } from 'react';
import { Icon } from '../icon.tsx';
import css from './notice.module.css';

interface NoticeProps {
  readonly tone: 'bad' | 'warn' | 'good';
  readonly children: ReactNode;
  /** A button or link for what can be done about it. */
  readonly action?: ReactNode;
}

/**
 * Milliseconds after which the text of a status is set: screen readers speak only a change in a region that exists
 * already.
 */
const WORDS_AFTER_MS = 100;

/** A message. Screen readers interrupt for `bad` and `warn` (role alert), and wait for `good` (role status). */
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
