import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { forgetAccount } from './acts-for.ts';

/** Whether the service has refused the session of this page. What is on screen stays; nothing more is read. */
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

/** How many sessions this page has had: what a call of an earlier one is answered says nothing of this one. */
export const sessionCount = (): number => beginCount;

/** Goes on with the session that has just begun, for the same person. */
export function resumeSession(): void {
  beginCount += 1;
  set(false);
}

export const subscribeToSession = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useSessionEnded = (): boolean => useSyncExternalStore(subscribeToSession, () => ended);

let isGivenUp = false;

/** Whether the page goes because it is another person's now: what was typed on it is not theirs to keep. */
export const isPageGivenUp = (): boolean => isGivenUp;

/** Begins anew, without a question: somebody else must not go on with what the last person had on screen. */
export function giveUpPage(): void {
  isGivenUp = true;
  forgetAccount();
  location.assign('/console');
}

const CHANNEL = 'sign-in';

/** Tells every page of this browser, which share its cookie, that somebody signed in: also the one that says so. */
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
