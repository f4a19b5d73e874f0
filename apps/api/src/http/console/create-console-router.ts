import Router from '@koa/router';
import type { RestState } from '../rest/rest.ts';
import { signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';

/** The ways into the console and out of it. What it does beside is the router's, and a session's to call. */
export function createConsoleRouter(): Router<RestState> {
  const router = new Router<RestState>({ strict: true, sensitive: true });
  // The link of the greeting, which has 80 columns: a browser takes the fragment, the secret, along.
  router.get('/console/in', (koa) => {
    koa.state.operation = 'console.in';
    koa.redirect('/console/sign-in');
  });
  router.post('/console/api/sign-in', signIn);
  router.post('/console/api/sign-out', signOut);
  return router;
}
