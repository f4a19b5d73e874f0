import Router from '@koa/router';
import type { RestState } from '../rest/rest.ts';
import { signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';

/** The ways into and out of the console. Everything else it does is a procedure, called by a session. */
export function createConsoleRouter(): Router<RestState> {
  const router = new Router<RestState>({ strict: true, sensitive: true });
  // The greeting's link, short enough for 80 columns: the browser carries the fragment, the secret, along.
  router.get('/console/in', (koa) => {
    koa.state.operation = 'console.in';
    koa.redirect('/console/sign-in');
  });
  router.post('/console/api/sign-in', signIn);
  router.post('/console/api/sign-out', signOut);
  return router;
}
