import { useSyncExternalStore } from 'react';
import { endSession, sessionCount } from '../api/session.ts';
import { queryClient } from '../session/query-client.ts';
import type { StreamNews } from './keep-reading.ts';
import { HINTS, readAgain } from './read-again.ts';
import { shareStream } from './share-stream.ts';

/** `polling`: there is no stream at the moment, so the page looks by itself. */
export type LiveState = 'connecting' | 'live' | 'polling' | 'paused';

const POLL_MS = 15_000;

/** Kept in this browser, for all its tabs: a preference, and nothing of a patient. */
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
      return readAgain(); // for what changed while nobody told
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

/** The session that the stream was opened in, by its number on this page. */
let streamSession = 0;

function start(): void {
  stopping?.abort();
  stopping = new AbortController();
  streamSession = sessionCount();
  if (isPaused()) return set('paused');
  set('connecting');
  shareStream(stopping.signal, hear);
}

/** Keeps what is on screen current. @returns what ends it. */
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

/** Stops what comes by itself, in every tab of the browser, until it is resumed. */
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
