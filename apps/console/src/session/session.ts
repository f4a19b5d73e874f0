import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';

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
export const resumeSession = (): void => set(false);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useSessionEnded = (): boolean => useSyncExternalStore(subscribe, () => ended);

const CHANNEL = 'sign-in';

/** Tells the other tabs of this browser, which share its cookie, that somebody signed in. */
export function announceSignIn(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage('signed in'); // oxlint-disable-line unicorn/require-post-message-target-origin -- a channel is of one origin
  channel.close();
}

/** Runs when somebody signs in, in another tab. */
export function useSignedInElsewhere(onSignedIn: () => void): void {
  const run = useEffectEvent(onSignedIn);
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    channel.addEventListener('message', () => run());
    return () => channel.close();
  }, []);
}
