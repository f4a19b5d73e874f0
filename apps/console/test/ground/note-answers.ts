import type { WatchedPage } from './a-page.ts';

/** What the browser was sent and keeps, from now on. */
export function noteAnswers({ page }: WatchedPage): string[] {
  const texts: string[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/console/api/'))
      void response.text().then(
        (text) => texts.push(text),
        () => undefined,
      );
  });
  return texts;
}
