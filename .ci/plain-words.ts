import { pages, repositoryFiles, textOf } from './pages.ts';

/**
 * Words that made our texts read like a law, with the plain one. In 340,000 words of our dependencies' READMEs there are
 * 0.1 of them in 1,000.
 */
export const LEGAL_WORDS: Readonly<Record<string, { readonly pattern: RegExp; readonly plain: string }>> = {
  alone: { pattern: /\balone\b/gi, plain: 'only' },
  // Behind a proxy is what the field says.
  behind: {
    pattern: /\bbehind\b(?! (?:\w+ ){0,2}(?:prox|haproxy|pooler|firewall|load balancer|caddy|nginx))/gi,
    plain: 'after',
  },
  stands: { pattern: /\bstands?\b/gi, plain: 'is' },
  nobody: { pattern: /\b(?:nobody|whoever|anybody)\b/gi, plain: 'the one who acts' },
  beside: { pattern: /\bbesides?\b/gi, plain: 'next to' },
  'go on': { pattern: /\b(?:go|goes|going|went) on\b/gi, plain: 'continue' },
  anew: { pattern: /\banew\b/gi, plain: 'again' },
  tell: { pattern: /\b(?:tells?|told|telling)\b/gi, plain: 'return, report, show' },
  'hand in': { pattern: /\bhand(?:s|ed|ing)? (?:\w+ )?(?:in|on)\b/gi, plain: 'submit, pass on' },
  'find out': { pattern: /\b(?:finds?|found|finding) out\b/gi, plain: 'verify' },
  'is none': { pattern: /\b(?:is|are) none\b/gi, plain: 'is not one' },
  'of which': { pattern: /\bof wh(?:ich|om)\b/gi, plain: 'whose, or a second sentence' },
};

/** What of the repository is read, by the reader's place. */
export function textsByRoom(): Readonly<Record<string, string>> {
  const isOfPages = (page: string) => page.startsWith('apps/docs/') || page.startsWith('.github/');
  const sources = repositoryFiles.filter(
    (file) =>
      /^(?:apps|packages)\/[\w-]+\/(?:src|schema)\/.*\.(?:ts|tsx|sql)$/.test(file) &&
      !/\.test(?:-d)?\.tsx?$/.test(file),
  );
  const roomOf = (file: string) => file.split('/')[1] ?? '';
  const rooms = Map.groupBy(sources, roomOf);
  const tests = repositoryFiles.filter((file) => /^(?:apps|packages)\/.*\.test(?:-d)?\.tsx?$/.test(file));
  const screens = sources.filter((file) => file.startsWith('apps/console/src/'));
  return {
    README: textOf('README.md'),
    pages: pages.filter(isOfPages).map(textOf).join('\n'),
    contract: textsOfContract(JSON.parse(textOf('packages/client/openapi.json'))).join('\n'),
    ...Object.fromEntries(
      [...rooms].map(([room, files]) => [
        `comments of ${room}`,
        files.map((file) => commentsOf(textOf(file))).join('\n'),
      ]),
    ),
    ...Object.fromEntries(
      [...Map.groupBy(tests, roomOf)].map(([room, files]) => [
        `titles of ${room}`,
        files.flatMap((file) => titlesOf(textOf(file))).join('\n'),
      ]),
    ),
    'screens of console': screens.flatMap((file) => phrasesOf(textOf(file))).join('\n'),
  };
}

/** The summaries and descriptions of an OpenAPI document. */
function textsOfContract(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'string'
      ? name === 'summary' || name === 'description'
        ? [inner]
        : []
      : textsOfContract(inner),
  );
}

/** The comments of a source in TypeScript or SQL. */
export function commentsOf(source: string): string {
  return [...source.matchAll(/\/\*[\s\S]*?\*\/|(?:^|\s)\/\/ .*$|(?:^|\s)-- .*$/gm)]
    .map(([text]) => text)
    .join('\n');
}

/** The titles of tests and of groups of them, those of `.each` among them. */
export function titlesOf(source: string): string[] {
  const titles = source.matchAll(
    /(?:\b(?:describe|it|test)(?:\.\w+)*\(|[\])>]\)?\()\s*(['"`])((?:\\.|(?!\1)[^])*?)\1\s*,/g,
  );
  return [...titles].map(([, , title = '']) => title).filter((title) => title.includes(' '));
}

/** The string literals of a source that have a space: what a screen shows. Text between tags is not among them. */
export function phrasesOf(source: string): string[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*$/gm, '');
  const literals = code.matchAll(/'((?:\\.|[^'\\\n])*)'|"((?:\\.|[^"\\\n])*)"|`((?:\\.|[^`\\])*)`/g);
  return [...literals]
    .map((found) => found[1] ?? found[2] ?? found[3] ?? '')
    .filter((text) => text.includes(' '));
}

/** How many of the words a text has, each by its name, and how many in 1,000 of all. */
export function countLegalWords(text: string) {
  const byWord = Object.fromEntries(
    Object.entries(LEGAL_WORDS).map(([name, { pattern }]) => [name, text.match(pattern)?.length ?? 0]),
  );
  const count = Object.values(byWord).reduce((sum, one) => sum + one, 0);
  const wordCount = text.match(/[\p{L}\p{N}][\p{L}\p{N}’'-]*/gu)?.length ?? 0;
  return {
    byWord,
    count,
    wordCount,
    perThousand: Number(((1_000 * count) / Math.max(wordCount, 1)).toFixed(1)),
  };
}
