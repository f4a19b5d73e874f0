import { useEffect } from 'react';
import { announceSignIn } from '../../api/session.ts';
import { useTitle } from '../../look/page/use-title.ts';
import css from '../session.module.css';

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
