import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { forgetAccount } from '../../api/acts-for.ts';
import { announceSignIn, resumeSession } from '../../api/session.ts';
import { Button } from '../../look/button.tsx';
import { Logo } from '../../look/mark.tsx';
import { Notice } from '../../look/notice.tsx';
import { HelpLink, useTitle } from '../../look/page.tsx';
import css from '../session.module.css';
import { SecondPasskey } from './second-passkey.tsx';
import { failureIn, goToProvider, pageAfter, tokenOf, useWays, type Ways } from './sign-in.ts';
import { HowToGetLink, HowToGetPasskey, LinkQuestion, PasskeyWay, SignInForm } from './ways-in.tsx';

/** `/sign-in#token`: the token is in the fragment, which no log and no Referer has, and leaves the address at once. */
export function SignInPage() {
  useTitle('Sign in');
  const queries = useQueryClient();
  const ways = useWays();
  const [, go] = useLocation();
  const [token, setToken] = useState<string | null>(null);
  const [isInvited, setIsInvited] = useState(false);
  const [page] = useState(() => pageAfter(location.search));
  const [failure, setFailure] = useState<string | null>(() => failureIn(location.search));

  const enter = () => {
    resumeSession();
    forgetAccount();
    announceSignIn();
    queries.clear();
    go(page, { replace: true });
  };
  // Nothing of a session is on screen: the person who continues from here is read again.
  useEffect(() => resumeSession(), []);
  // A link that is opened where this page is open already changes only the fragment, and loads nothing.
  useEffect(() => {
    const take = () => {
      if (location.hash === '') return;
      setToken(tokenOf(location.hash));
      history.replaceState(null, '', `${location.pathname}${location.search}`);
    };
    take();
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);

  return (
    <main className={css.page}>
      <div className={css.panel}>
        <p className={css.product}>
          <Logo />
          Insurance Verification
        </p>
        <h1>{isInvited ? 'A second passkey' : 'Sign in'}</h1>
        {isInvited && <SecondPasskey onDone={enter} />}
        {ways.error && (
          <Notice tone="bad" action={<Button onClick={() => void ways.refetch()}>Retry</Button>}>
            The service does not answer. Try again in a moment.
          </Notice>
        )}
        {ways.data && token !== null && !isInvited && (
          <LinkQuestion
            token={token}
            ways={ways.data}
            page={page}
            onSignedIn={ways.data.way === 'passkey' ? () => setIsInvited(true) : enter}
            onLeft={(failed, link) => {
              if (link && link.replaces !== null) return go('/', { replace: true });
              setToken(null);
              setFailure(failed);
            }}
          />
        )}
        {ways.data && token === null && (
          <WaysIn
            ways={ways.data}
            page={page}
            failure={failure}
            onFailure={setFailure}
            onToken={setToken}
            onSignedIn={enter}
          />
        )}
        <p>
          <HelpLink path="/sign-in" />
        </p>
      </div>
    </main>
  );
}

interface WaysInProps {
  readonly ways: Ways;
  readonly page: string;
  /** Why the last try failed; null without one. */
  readonly failure: string | null;
  readonly onFailure: (failure: string) => void;
  readonly onToken: (token: string) => void;
  readonly onSignedIn: () => void;
}

function WaysIn({ ways, page, failure, onFailure, onToken, onSignedIn }: WaysInProps) {
  const { mutate: leave, isPending } = useMutation({
    mutationFn: () => goToProvider(page),
    onSuccess: onFailure,
  });
  return (
    <>
      {ways.way !== 'link' && failure && <Notice tone="bad">{failure}</Notice>}
      {ways.way === 'link' && (
        <>
          <HowToGetLink />
          <SignInForm fault={failure} onToken={onToken} />
        </>
      )}
      {ways.way === 'passkey' && <HowToGetPasskey />}
      {ways.way === 'provider' && (
        <>
          <p className={css.how}>Your organization signs you in, and says what you may do here.</p>
          <Button kind="primary" disabled={isPending} onClick={() => leave()}>
            Sign in with {ways.provider}
          </Button>
        </>
      )}
      <PasskeyWay ways={ways} onSignedIn={onSignedIn} onNeedsProvider={leave} />
    </>
  );
}

/** `/signed-in`: the last page of a sign-in in a popup. It announces the sign-in to all tabs and closes the window. */
export function SignedInPage() {
  useTitle('Signed in');
  useEffect(() => {
    announceSignIn();
    close();
  }, []);
  return (
    <main className={css.page}>
      <div className={css.panel}>
        <h1>You are signed in</h1>
        <p>Go on in the window you came from. This one can be closed.</p>
      </div>
    </main>
  );
}
