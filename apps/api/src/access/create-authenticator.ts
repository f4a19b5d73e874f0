import { findApiKey, type LiveKey, type Store } from '@insurance-verification/store';
import { LRUCache } from 'lru-cache';
import type { Authenticator } from '../procedure/context/app.ts';

/**
 * Milliseconds for which an answer is reused. A key revoked by another process works at most this much longer; at 1,000
 * requests a second the reuse saves 999 of 1,000 look-ups.
 */
const REUSE_MS = 1_000;

const CACHED_COUNT_MAX = 10_000;

export function createAuthenticator(store: Store): Authenticator {
  // Caches promises, so that concurrent calls with the same key share one look-up. The cache's own `fetch` will not do:
  // its `clear` would reject running look-ups, and callers of other keys would get a 500 because one was revoked.
  const answers = new LRUCache<string, Promise<LiveKey | null>>({ max: CACHED_COUNT_MAX, ttl: REUSE_MS });
  const lookUp = (text: string) => {
    const drop = () => answers.get(text) === answer && answers.delete(text);
    const answer = findApiKey(store, text).then((found) => {
      if (found.kind === 'unknown') return null;
      const { expiresAt } = found.key;
      if (expiresAt && expiresAt.getTime() < Date.now() + REUSE_MS) drop(); // it expires within the reuse
      return found.key;
    });
    answers.set(text, answer);
    answer.catch(drop); // the awaiting caller gets the error
    return answer;
  };
  return {
    authenticate: (text) =>
      text === undefined || text === '' || text.length > 200
        ? Promise.resolve(null)
        : (answers.get(text) ?? lookUp(text)),
    forget: () => answers.clear(),
  };
}
