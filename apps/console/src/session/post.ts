import { originSecret } from '../api/origin-secret.ts';

/** A POST of JSON to one of the sign-in endpoints, which are no operations. */
export const post = (path: string, body: unknown) =>
  fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'origin-secret': originSecret() },
    body: JSON.stringify(body),
  });
