import { originSecret } from '../api/origin-secret.ts';

/** A POST of JSON to one of the sign-in endpoints, which are not operations of the contract. */
export const post = (path: string, body: unknown) =>
  fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'origin-secret': originSecret() },
    body: JSON.stringify(body),
  });

/** Ends the session. */
export async function signOut(): Promise<void> {
  await post('/console/api/sign-out', {});
}
