import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { Notice } from '../look/notice.tsx';
import { useTitle } from '../look/use-title.ts';
import css from './session.module.css';
import { resumeSession } from './session.ts';
import { HowToGetLink, SignInForm } from './sign-in-form.tsx';
import { SIGN_IN_WORDS, type SignInFailure, signIn, tokenOf } from './sign-in.ts';

/** `/sign-in#token`: the token is in the fragment, which no log and no Referer has, and leaves the address at once. */
export function SignInPage() {
  useTitle('Sign in');
  const queries = useQueryClient();
  const [, go] = useLocation();
  const [token] = useState(() => (location.hash === '' ? '' : tokenOf(location.hash)));
  const [failure, setFailure] = useState<SignInFailure | null>(null);
  const tried = useRef(false);

  const enter = () => {
    resumeSession();
    queries.clear();
    go('/', { replace: true });
  };
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
          <img src="/favicon.ico" alt="" width={20} height={20} />
          Insurance Verification
        </p>
        <h1>Sign in</h1>
        {isTrying ? (
          <p role="status">Signing you in …</p>
        ) : (
          <>
            {failure && <Notice tone="bad">{SIGN_IN_WORDS[failure]}</Notice>}
            <HowToGetLink />
            <SignInForm onSignedIn={enter} />
          </>
        )}
      </div>
    </main>
  );
}
