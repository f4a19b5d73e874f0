import { Fragment } from 'react';

/** A slug such as `webhook_exhausted`, which breaks at its underscores in a narrow column. */
export function Slug({ text }: { readonly text: string }) {
  return text.split(/(?<=_)/).map((word, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {word}
    </Fragment>
  ));
}
