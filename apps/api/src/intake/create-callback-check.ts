import { createUrlCheck, type UrlRefusal } from '@insurance-verification/webhook';
import { LRUCache } from 'lru-cache';

/** How many addresses are cached, and how long they may be: 4 MB at most. */
const REMEMBERED_COUNT_MAX = 1_000;
const REMEMBERED_LENGTH_MAX = 2_048;

/**
 * {@link createUrlCheck} with a cache: a provider sends the same address with every request, and parsing it took 2 µs
 * of each.
 */
export function createCallbackCheck(
  options: Parameters<typeof createUrlCheck>[0],
): (url: string) => UrlRefusal | null {
  const check = createUrlCheck(options);
  const answers = new LRUCache<string, { readonly refusal: UrlRefusal | null }>({
    max: REMEMBERED_COUNT_MAX,
  });
  return (url) => {
    if (url.length > REMEMBERED_LENGTH_MAX) return check(url);
    let answer = answers.get(url);
    if (!answer) answers.set(url, (answer = { refusal: check(url) }));
    return answer.refusal;
  };
}
