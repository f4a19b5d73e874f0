import { findApiKey, type LiveKey, type Store } from '@insurance-verification/store';
import { LRUCache } from 'lru-cache';

/** Tells whose a key's text is. */
export interface Authenticator {
  /** The live key; null for a missing, unknown, revoked or expired one. */
  authenticate(text: string | undefined): Promise<LiveKey | null>;
  /** Forgets every answer, so that a revocation by this process holds at once. */
  forget(): void;
}

/**
 * Milliseconds for which an answer is reused. A key revoked by another process works at most this much longer; at
 * 1,000 requests a second it saves 999 of 1,000 look-ups.
 */
const REUSE_MS = 1_000;

const CACHED_COUNT_MAX = 10_000;

export function createAuthenticator(store: Store): Authenticator {
  // Callers that ask for the same key at once share one look-up.
  const answers = new LRUCache<string, { readonly key: LiveKey | null }>({
    max: CACHED_COUNT_MAX,
    ttl: REUSE_MS,
    fetchMethod: async (text) => ({ key: await findApiKey(store, text) }),
  });
  return {
    authenticate: async (text) => {
      if (text === undefined || text === '' || text.length > 200) return null;
      const key = (await answers.fetch(text))?.key ?? null;
      return key?.expiresAt && key.expiresAt <= new Date() ? null : key;
    },
    forget: () => answers.clear(),
  };
}
