import { useSyncExternalStore } from 'react';

/** What waits for the person to sign in again; null while nothing does. */
let waiting: { readonly answer: Promise<boolean>; readonly resolve: (signedIn: boolean) => void } | null =
  null;
const listeners = new Set<() => void>();
const tell = () => listeners.forEach((listener) => listener());

/** Whether an answer says that the sign-in is too old for what was asked. */
export async function isAskedFor(answer: Response): Promise<boolean> {
  if (answer.status !== 403) return false;
  const body = (await answer.clone().json()) as { error?: { data?: { problem?: { code?: string } } } };
  return body.error?.data?.problem?.code === 'fresh_sign_in_required';
}

/** Asks the person to sign in again. Resolves with whether they did; several calls at once ask once. */
export function askFreshSignIn(): Promise<boolean> {
  if (!waiting) {
    const { promise: answer, resolve } = Promise.withResolvers<boolean>();
    waiting = { answer, resolve };
    tell();
  }
  return waiting.answer;
}

export function settleFreshSignIn(signedIn: boolean): void {
  waiting?.resolve(signedIn);
  waiting = null;
  tell();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useFreshSignInAsked = (): boolean => useSyncExternalStore(subscribe, () => waiting !== null);
