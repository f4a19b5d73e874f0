import { post } from './post.ts';

/** Ends the session here and at the service. */
export async function signOut(): Promise<void> {
  await post('/console/api/sign-out', {});
}
