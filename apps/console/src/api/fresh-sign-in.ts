import { useSyncExternalStore } from 'react';

/** The calls that wait for a fresh sign-in; null while none does. */
let waiting: { readonly answer: Promise<boolean>; readonly resolve: (signedIn: boolean) => void } | null =
  null;
const listeners = new Set<() => void>();
const notify = () => listeners.forEach((listener) => listener());

/** Whether an answer is the problem `fresh_sign_in_required`. */
export async function isAskedFor(answer: Response): Promise<boolean> {
  if (answer.status !== 403) return false;
  const body = (await answer.clone().json()) as { error?: { data?: { problem?: { code?: string } } } };
  return body.error?.data?.problem?.code === 'fresh_sign_in_required';
}

/**
 * Asks the person to sign in again. Resolves with true once they have, with false when they cancel. Concurrent calls
 * share one dialog.
 */
export function askFreshSignIn(): Promise<boolean> {
  if (!waiting) {
    const { promise: answer, resolve } = Promise.withResolvers<boolean>();
    waiting = { answer, resolve };
    notify();
  }
  return waiting.answer;
}

export function settleFreshSignIn(signedIn: boolean): void {
  waiting?.resolve(signedIn);
  waiting = null;
  notify();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const isAsked = (): boolean => waiting !== null;
export const useFreshSignInAsked = (): boolean => useSyncExternalStore(subscribe, isAsked, isAsked);
