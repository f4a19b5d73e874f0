import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { forgetAccount } from './acts-for.ts';

/** Whether a call of this page was answered 401. What is on screen stays; queries are paused. */
let ended = false;
const listeners = new Set<() => void>();

function set(value: boolean): void {
  if (ended === value) return;
  ended = value;
  for (const listener of listeners) listener();
}

export const hasSessionEnded = (): boolean => ended;
export const endSession = (): void => set(true);

let beginCount = 0;

/**
 * The number of sessions that this page has had. The 401 of a call that was sent in an earlier session does not end
 * this one.
 */
export const sessionCount = (): number => beginCount;

/** Marks the session as live again, after its person has signed in. */
export function resumeSession(): void {
  beginCount += 1;
  set(false);
}

export const subscribeToSession = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useSessionEnded = (): boolean =>
  useSyncExternalStore(subscribeToSession, hasSessionEnded, hasSessionEnded);

let isGivenUp = false;

/** Whether the page is being left because another person has signed in: then it does not ask about unsaved text. */
export const isPageGivenUp = (): boolean => isGivenUp;

/** Loads the console again without asking, so that another person does not see what is on screen. */
export function giveUpPage(): void {
  isGivenUp = true;
  forgetAccount();
  location.assign('/console');
}

const CHANNEL = 'sign-in';

/** Notifies all tabs of this origin, this one included, that somebody has signed in. */
export function announceSignIn(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage('signed in'); // oxlint-disable-line unicorn/require-post-message-target-origin -- a channel is of one origin
  channel.close();
}

/** Runs when somebody signs in, in this tab or another. */
export function useSignedIn(onSignedIn: () => void): void {
  const run = useEffectEvent(onSignedIn);
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    channel.addEventListener('message', () => run());
    return () => channel.close();
  }, []);
}

/** When somebody last pressed a key, moved a pointer, copied or pasted in this tab, in this computer's milliseconds. */
let seenAt = Date.now();

/** After so long without a key or a pointer, calls count as the page's own. */
const AWAY_MS = 60_000;

for (const type of ['keydown', 'pointermove', 'pointerdown', 'copy', 'paste'] as const)
  addEventListener(type, () => (seenAt = Date.now()), { passive: true });

/** Milliseconds since somebody last did something in this tab. */
export const absentMs = (): number => Date.now() - seenAt;

/** Whether the page sends a call by itself (`Background: 1`), so that it does not extend the session. */
export const isBackground = (): boolean => absentMs() > AWAY_MS;
