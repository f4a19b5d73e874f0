import type { Hint } from '@insurance-verification/schema';
import type { Query } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { failureOf } from '../api/failure.ts';
import { endSession, sessionCount } from '../api/session.ts';
import { queryClient } from '../session/query-client.ts';
import { shareStream, type StreamNews } from './event-stream.ts';

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
const liveState = (): LiveState => state;
export const useLiveState = (): LiveState => useSyncExternalStore(subscribe, liveState, liveState);

/** The prefixes of the operations whose answers a change of each kind may affect. */
const READ_BY: Readonly<Record<Hint, readonly string[]>> = {
  request: ['requests.'],
  work: ['work.', 'drafts.', 'requests.attempts'],
  held: ['heldOutputs.', 'requests.view', 'requests.search'],
  delivery: ['deliveries.', 'endpoints.', 'receivers.', 'requests.'],
  access: ['accounts.', 'keys.', 'staff.', 'sessions.list', 'webhookSecret.'],
};

/** Every kind of change. Written here, since the package that names them would enlarge the first load. */
const HINTS = Object.keys(READ_BY) as Hint[];

/** Milliseconds between two reads of what is on screen. */
const PAUSE_MS = 1_000;

const pending = new Set<Hint>();
let isReading = false;

function isTouched({ queryKey: [operation], state: { error } }: Query): boolean {
  const failed = error === null ? undefined : failureOf(error).kind;
  // What was refused stays refused until the person's roles change, which is an event of its own.
  if (failed === 'forbidden') return false;
  // What had no answer gets one now, whatever it reads: the service is there.
  if (failed === 'offline') return true;
  return [...pending].some((kind) => READ_BY[kind].some((name) => String(operation).startsWith(name)));
}

/** Invalidates the queries on screen that a change may affect; in a hidden tab, once it is visible again. */
function readAgain(kinds: readonly Hint[] = HINTS): void {
  for (const kind of kinds) pending.add(kind);
  if (!isReading) void readAll();
}

async function readAll(): Promise<void> {
  isReading = true;
  while (pending.size > 0 && !document.hidden) {
    const touched = queryClient.getQueryCache().findAll({ predicate: isTouched });
    pending.clear();
    // Waits for the answers: a reading that each new hint cancels would never end.
    const reading = queryClient.invalidateQueries({ predicate: (query) => touched.includes(query) });
    await Promise.all([reading, new Promise((resolve) => setTimeout(resolve, PAUSE_MS))]);
  }
  isReading = false;
}

document.addEventListener('visibilitychange', () => readAgain([]));
