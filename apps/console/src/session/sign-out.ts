import { post } from './post.ts';

/** Ends the session. */
export async function signOut(): Promise<void> {
  await post('/console/api/sign-out', {});
}
