import { originSecret } from '../api/origin-secret.ts';

/** Calls what is no operation: it is who has no session yet, or none any more. */
export const post = (path: string, body: unknown) =>
  fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'origin-secret': originSecret() },
    body: JSON.stringify(body),
  });
