import { useQuery } from '@tanstack/react-query';
import { forgetAccount } from '../../api/acts-for.ts';
import { beginWithProvider, type ProviderSignIn } from './sign-in.ts';

/** The answer of `GET /console/api/sign-in`: the ways to sign in. */
export interface Ways {
  /** The identity provider's host; null where links sign people in. */
  readonly provider: string | null;
  /** Whether passkeys work here: browsers allow none at an IP address. */
  readonly passkeys: boolean;
}

/** Reads the ways to sign in. No operation, since nobody is signed in yet. */
export const useWays = () =>
  useQuery({
    queryKey: ['sign-in'],
    queryFn: async ({ signal }): Promise<Ways> => {
      const answer = await fetch('/console/api/sign-in', { signal });
      if (!answer.ok) throw new Error(`The ways to sign in answered ${answer.status}.`);
      return (await answer.json()) as Ways;
    },
    networkMode: 'always', // it is who has no session that asks
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The page below `/console` in `?to=`; `/` without one, or for any other address. */
export function pageAfter(search: string): string {
  const to = new URLSearchParams(search).get('to') ?? '';
  return /^\/console\/(?![/\\])/.test(to) ? to.slice('/console'.length) : '/';
}

/**
 * Leaves the page for the provider, which leads back to `page`, below `/console`.
 * @returns a sentence, where the sign-in cannot begin; otherwise never.
 */
export async function goToProvider(page: string, options?: ProviderSignIn): Promise<string> {
  const begun = await beginWithProvider(page, options);
  if (typeof begun === 'string') return begun;
  forgetAccount(); // whoever comes back may be somebody else
  location.assign(begun);
  return new Promise<never>(() => undefined);
}

/**
 * Opens the provider in a popup, so that the page stays. The last page of the popup notifies all tabs, and closes it.
 * @returns null once the popup leads to the provider; else a sentence that says why it does not.
 */
export async function openProvider(options?: ProviderSignIn): Promise<string | null> {
  const popup = open('', '_blank', 'popup,width=520,height=720'); // at the click, or the browser forbids it
  const begun = await beginWithProvider('/signed-in', options);
  if (typeof begun === 'string') {
    popup?.close();
    return begun;
  }
  if (popup) popup.location.assign(begun);
  return popup ? null : 'The browser opens no window for the sign-in. Allow it for this page.';
}
