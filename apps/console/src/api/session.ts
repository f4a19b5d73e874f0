import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';

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

export const useSessionEnded = (): boolean => useSyncExternalStore(subscribeToSession, () => ended);

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

const STORED_AS = 'origin-secret';

/**
 * 256 random bits in base64url, which every call of these pages carries. A browser sends the session's cookie to every
 * port of the host; the storage is of one port, so a page of another has the cookie at most. In `localStorage`, for all
 * tabs, and read again each time: of two tabs that make one at once, the later one's stays.
 */
export function originSecret(): string {
  const kept = localStorage.getItem(STORED_AS);
  if (kept !== null && /^[\w-]{43}$/.test(kept)) return kept;
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const text = btoa(String.fromCharCode(...bytes));
  const made = text.replaceAll('+', '-').replaceAll('/', '_').replace('=', '');
  localStorage.setItem(STORED_AS, made);
  return made;
}

/** When somebody last pressed a key, moved a pointer, copied or pasted in this tab, in this computer's milliseconds. */
let seenAt = Date.now();

/** After so long without a key or a pointer, calls count as the page's own. */
const AWAY_MS = 60_000;

for (const type of ['keydown', 'pointermove', 'pointerdown', 'copy', 'paste'] as const)
  addEventListener(type, () => (seenAt = Date.now()), { passive: true });

/** Milliseconds since somebody last did something in this tab. */
export const absentMs = (): number => Date.now() - seenAt;

/** Whether a call is sent by the page alone (`Background: 1`), so that it does not extend the session. */
export const isBackground = (): boolean => absentMs() > AWAY_MS;

const ACCOUNT = 'account';

/** The id of the account that this tab acts for, from the session storage; null: the default of the service. */
export const actsFor = (): string | null => sessionStorage.getItem(ACCOUNT);

const DEMO = 'demo-day';

/** Whether this tab acts for a clinic of the demo day. */
export const showsDemoDay = (): boolean => sessionStorage.getItem(DEMO) !== null;

/** Shows the demo day in this tab: acts for one of its clinics. */
export function showDemoDay(accountId: string): void {
  sessionStorage.setItem(DEMO, accountId);
  sessionStorage.setItem(ACCOUNT, accountId);
  location.assign('/console');
}

/** Acts for the default account again, once the demo day is gone. */
export function leaveDemoDay(): void {
  sessionStorage.removeItem(DEMO);
  sessionStorage.removeItem(ACCOUNT);
  location.assign('/console');
}

/** Removes the chosen account: the tab acts for the default again. */
export const forgetAccount = (): void => sessionStorage.removeItem(ACCOUNT);

/**
 * Chooses the account that this tab acts for, and loads the first page, since the present one shows another account.
 */
export function actFor(accountId: string): void {
  sessionStorage.setItem(ACCOUNT, accountId);
  location.assign('/console');
}
