import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { forgetAccount } from '../../api/acts-for.ts';
import { announceSignIn, resumeSession } from '../../api/session.ts';
import { Button } from '../../look/button/button.tsx';
import { Logo } from '../../look/logo.tsx';
import { HelpLink } from '../../look/page/help-link.tsx';
import { useTitle } from '../../look/page/use-title.ts';
import { Notice } from '../../look/state/notice.tsx';
import css from '../session.module.css';
import { PasskeyWay } from './passkey-way.tsx';
import { pageAfter, providerAddress, useWays, type Ways } from './provider.ts';
import { HowToGetLink, SignInForm } from './sign-in-form.tsx';
import { failureIn, signIn, tokenOf } from './sign-in.ts';

/** `/sign-in#token`: the token is in the fragment, which no log and no Referer has, and leaves the address at once. */
export function SignInPage() {
  useTitle('Sign in');
  const queries = useQueryClient();
  const ways = useWays();
  const [, go] = useLocation();
  const [token] = useState(() => (location.hash === '' ? '' : tokenOf(location.hash)));
  const [page] = useState(() => pageAfter(location.search));
  const [failure, setFailure] = useState<string | null>(() => failureIn(location.search));
  const tried = useRef(false);

  const enter = () => {
    resumeSession();
    announceSignIn();
    queries.clear();
    go(page, { replace: true });
  };
  // Nothing of a session is on screen: whoever goes on from here is asked for anew.
  useEffect(() => {
    resumeSession();
    forgetAccount();
  }, []);
  useEffect(() => {
    if (token === '' || tried.current) return;
    tried.current = true;
    history.replaceState(null, '', location.pathname);
    void signIn(token).then((failed) => (failed === null ? enter() : setFailure(failed)));
  });

  const isTrying = token !== '' && failure === null;
  return (
    <main className={css.page}>
      <div className={css.panel}>
        <p className={css.product}>
          <Logo />
          Insurance Verification
        </p>
        <h1>Sign in</h1>
        {isTrying ? (
          <p role="status">Signing you in …</p>
        ) : (
          <>
            {failure && <Notice tone="bad">{failure}</Notice>}
            {ways.error && (
              <Notice tone="bad" action={<Button onClick={() => void ways.refetch()}>Retry</Button>}>
                The service does not answer. Try again in a moment.
              </Notice>
            )}
            {ways.data && <WaysIn ways={ways.data} page={page} onSignedIn={enter} />}
            <p>
              <HelpLink path="/sign-in" />
            </p>
          </>
        )}
      </div>
    </main>
  );
}

interface WaysInProps {
  readonly ways: Ways;
  readonly page: string;
  readonly onSignedIn: () => void;
}

function WaysIn({ ways: { provider, passkeys }, page, onSignedIn }: WaysInProps) {
  return (
    <>
      {provider === null ? (
        <>
          <HowToGetLink />
          <SignInForm onSignedIn={onSignedIn} />
        </>
      ) : (
        <>
          <p className={css.how}>Your organization signs you in, and says what you may do here.</p>
          <a className={css.provider} href={providerAddress(page)}>
            Sign in with {provider}
          </a>
        </>
      )}
      <PasskeyWay
        isPossible={passkeys}
        onSignedIn={onSignedIn}
        onNeedsProvider={() => location.assign(providerAddress(page))}
      />
    </>
  );
}
