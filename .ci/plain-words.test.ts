import { expect, test } from 'vitest';
import { commentsOf, countLegalWords, LEGAL_WORDS, textsByRoom } from './plain-words.ts';

/**
 * How many of {@link LEGAL_WORDS} in 1,000 words each room may have. A number only falls: where the count is lower by half
 * a word or more, write the new one down.
 */
const PERMITTED: Readonly<Record<string, number>> = {
  README: 0,
  pages: 0.3,
  contract: 0.2,
  'comments of api': 0,
  'comments of cli': 0,
  'comments of console': 0.6,
  'comments of mcp': 0,
  'comments of payer-simulator': 0,
  'comments of client': 0,
  'comments of environment': 0,
  'comments of schema': 0,
  'comments of store': 0.4,
  'comments of testing': 0,
  'comments of webhook': 0.3,
  'comments of x12': 0,
};

const texts = textsByRoom();

test.each(Object.keys(texts))('%s reads like plain English, and no worse than before', (room) => {
  const { perThousand, byWord } = countLegalWords(texts[room] ?? '');
  const permitted = PERMITTED[room] ?? 0;
  const words = Object.entries(byWord).filter(([, count]) => count > 0);
  const instead = words.map(([word, count]) => `${count} × ${word} (${LEGAL_WORDS[word]?.plain})`).join(', ');
  expect(perThousand, instead).toBeLessThanOrEqual(permitted);
  expect(permitted - perThousand, `write ${perThousand} down`).toBeLessThan(0.5);
});

test('each word is seen, and a proxy may be stood behind', () => {
  const law =
    'Nobody alone stands beside it, tells anew, goes on, is none, hands it in behind which, of which is found out.';
  expect(Object.entries(countLegalWords(law).byWord).filter(([, count]) => count === 0)).toEqual([]);
  expect(countLegalWords('It runs behind a reverse proxy and behind HAProxy.').count).toBe(0);
});

test('comments are found in TypeScript and in SQL, addresses are none', () => {
  const source = "/** One. */\nconst a = 'http://x'; // two\n-- three\n";
  expect(commentsOf(source).replaceAll(/\s+/g, ' ')).toBe('/** One. */ // two -- three');
});
