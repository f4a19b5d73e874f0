import { useEffect } from 'react';
import { useSessionEnded } from '../api/session.ts';
import { Mark, type Tone, Unseen } from '../look/mark.tsx';
import css from './live.module.css';
import { type LiveState, startLive, togglePause, useLiveState } from './live.ts';

const WORDS: Readonly<Record<LiveState, { readonly tone: Tone; readonly word: string }>> = {
  connecting: { tone: 'wait', word: 'Connecting …' },
  live: { tone: 'good', word: 'Updates on' },
  polling: { tone: 'warn', word: 'Updates every 15 s' },
  paused: { tone: 'quiet', word: 'Updates paused' },
};

/** The state of live updates, with a button that pauses them. */
export function LiveStatus() {
  const state = useLiveState();
  const hasEnded = useSessionEnded();
  // A session that has ended has no stream; the next one begins its own.
  useEffect(() => (hasEnded ? undefined : startLive()), [hasEnded]);
  const { tone, word } = WORDS[state];
  return (
    <p className={css.live}>
      <Mark tone={tone}>{word}</Mark>
      <button type="button" onClick={togglePause}>
        {state === 'paused' ? 'Resume' : 'Pause'}
        <Unseen> what comes by itself</Unseen>
      </button>
    </p>
  );
}
