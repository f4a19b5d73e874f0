import { useSyncExternalStore } from 'react';
import { endSession, sessionCount } from '../api/session.ts';
import { queryClient } from '../session/query-client.ts';
import type { StreamNews } from './keep-reading.ts';
import { HINTS, readAgain } from './read-again.ts';
import { shareStream } from './share-stream.ts';

/** `polling`: without a stream the page reads again every 15 seconds. */
export type LiveState = 'connecting' | 'live' | 'polling' | 'paused';

const POLL_MS = 15_000;

/** Stored in the local storage, for all tabs: a preference, no patient data. */
const STORED = 'console.live';
const isPaused = () => localStorage.getItem(STORED) === 'paused';

let state: LiveState = isPaused() ? 'paused' : 'connecting';
let poll: ReturnType<typeof setInterval> | undefined;
let stopping: AbortController | undefined;
const listeners = new Set<() => void>();

function set(next: LiveState): void {
  if (state === next) return;
  state = next;
  clearInterval(poll);
  if (next === 'polling') poll = setInterval(() => readAgain(), POLL_MS);
  for (const listener of listeners) listener();
}

function hear(news: StreamNews): void {
  if (state === 'paused') return;
  switch (news.kind) {
    case 'open':
      set('live');
      return readAgain(); // for what changed while no event came
    case 'lost':
      return set('connecting');
    case 'missing':
      // The first look says at once whether the service answers at all.
      if (state !== 'polling') readAgain();
      return set('polling');
    case 'hints':
      return readAgain(HINTS.filter((hint) => news.hints[hint] !== undefined));
    case 'person':
      return void queryClient.invalidateQueries();
    case 'ended':
      // Signing in ends the session before, whose stream may say so later.
      return streamSession === sessionCount() ? endSession() : start();
    default:
  }
}

/** The number (`sessionCount`) of the session that the stream was opened in. */
let streamSession = 0;

function start(): void {
  stopping?.abort();
  stopping = new AbortController();
  streamSession = sessionCount();
  if (isPaused()) return set('paused');
  set('connecting');
  shareStream(stopping.signal, hear);
}

/**
 * Starts live updates of what is on screen.
 * @returns a function that stops them.
 */
export function startLive(): () => void {
  const follow = ({ key }: StorageEvent) => {
    if (key === STORED) start(); // paused or resumed in another tab
  };
  // The browser knows first that its line is gone.
  const cut = () => {
    if (state === 'live') start();
  };
  addEventListener('storage', follow);
  addEventListener('offline', cut);
  start();
  resume = () => {
    start();
    readAgain();
  };
  return () => {
    removeEventListener('storage', follow);
    removeEventListener('offline', cut);
    stopping?.abort();
    clearInterval(poll);
    state = 'connecting';
  };
}

let resume = (): void => undefined;

/** Pauses or resumes live updates, in every tab of the browser. */
export function togglePause(): void {
  if (isPaused()) localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, 'paused');
  resume();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
export const useLiveState = (): LiveState => useSyncExternalStore(subscribe, () => state);
