import type { ReactNode } from 'react';
import css from './mark.module.css';
import { WholeWords } from './text/whole-words.tsx';

export type Tone = Exclude<IconName, 'none' | 'wait'> | 'quiet' | 'wait';

/** A status as an icon and a word; the colour is only an addition. */
export function Mark({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return (
    <span className={`${css.mark} ${css[`mark-${tone}`] ?? ''}`}>
      <Icon name={tone === 'quiet' ? 'none' : tone} />
      <span>
        <WholeWords text={children} />
      </span>
    </span>
  );
}

const PATHS = {
  good: 'M3.5 8.5l3 3 6-7',
  bad: 'M4.5 4.5l7 7m0-7l-7 7',
  warn: 'M8 4v5m0 2.4v.1',
  wait: 'M8 4.5V8l2.5 1.5',
  none: 'M5 8h6',
} as const;

type IconName = keyof typeof PATHS;

/** Always next to a word. */
export function Icon({ name }: { readonly name: IconName }) {
  const rounded = name !== 'good' && name !== 'bad';
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      aria-hidden="true"
    >
      {rounded && <circle cx="8" cy="8" r="6.2" strokeWidth="1.3" />}
      <path d={PATHS[name]} strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}

/** The shield of the favicon, drawn in the page: as an image it would be one more request, which some browsers fail. */
export function Logo() {
  return (
    <svg width="20" height="20" viewBox="0 0 32 32" aria-hidden="true">
      <path fill="var(--accent)" d="M16 2 4 6.5V15c0 7.5 5 12.6 12 15 7-2.4 12-7.5 12-15V6.5z" />
      <path
        fill="none"
        stroke="var(--on-accent)"
        strokeWidth="3.5"
        strokeLinecap="round"
        strokeLinejoin="round"
        d="m10 16 4.5 4.5L22.5 12"
      />
    </svg>
  );
}

/** Text for screen readers only; as a status it is spoken when it changes. */
export function Unseen({ role, children }: { readonly role?: 'status'; readonly children: ReactNode }) {
  return (
    <span className={css.unseen} role={role}>
      {children}
    </span>
  );
}
