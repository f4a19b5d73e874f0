import { expect, test } from 'vitest';
import { commentsOf, countLegalWords, LEGAL_WORDS, phrasesOf, textsByRoom, titlesOf } from './plain-words.ts';

/**
 * How many of {@link LEGAL_WORDS} in 1,000 words a room may have: 0 where it is not named. A number only falls: where the
 * count is lower by half a word or more, write the new one down.
 */
const PERMITTED: Readonly<Record<string, number>> = {
  pages: 0.3,
  contract: 0.2,
  'comments of console': 0.6,
  'comments of embedded-postgres': 1.5, // the user that is named nobody
  'comments of store': 0.4,
  'comments of webhook': 0.3,
  'titles of api': 0.1,
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

test('titles are found with those of each, and what a screen shows without its comments', () => {
  const source =
    "test('one fact', run);\ntest.each([1])(\n  `two ${a} facts`,\n  run,\n); // no 'third one'\n";
  expect(titlesOf(source)).toEqual(['one fact', 'two ${a} facts']);
  expect(phrasesOf(source)).toEqual(['one fact', 'two ${a} facts']);
});

test('comments are found in TypeScript and in SQL, addresses are none', () => {
  const source = "/** One. */\nconst a = 'http://x'; // two\n-- three\n";
  expect(commentsOf(source).replaceAll(/\s+/g, ' ')).toBe('/** One. */ // two -- three');
});
