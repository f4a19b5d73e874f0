import { Fragment, type ReactNode } from 'react';
import { shownText } from './shown-text.ts';

/** What stays on one line at every width: a word, a port, initials. */
export const Whole = ({ children }: { readonly children: ReactNode }) => (
  <span data-whole="">{children}</span>
);

/** Characters of the longest word that stays whole in the narrowest column; a longer one breaks where it must. */
const WORD_MAX = 16;

/** Text that breaks between its words, also in a column that is as narrow as a phone makes it. */
export function WholeWords({ text }: { readonly text: string }) {
  // Escaped first: some of what is hidden counts as white space, and would divide its word.
  return shownText(text)
    .split(/(\s+)/)
    .map((word, index) => (
      <Fragment key={index}>
        {word.length > WORD_MAX || word.trim() === '' ? word : <Whole>{word}</Whole>}
      </Fragment>
    ));
}

/** A host with its port: it breaks after a point of its name and before its port, and never inside a port. */
export function Host({ host }: { readonly host: string }) {
  const port = /:\d+$/.exec(host)?.[0] ?? '';
  const labels = host.slice(0, host.length - port.length).split(/(?<=\.)/);
  return [...labels, port].map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part.length > WORD_MAX ? part : <Whole>{part}</Whole>}
    </Fragment>
  ));
}
