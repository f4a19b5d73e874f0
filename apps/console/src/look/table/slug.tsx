import { Fragment } from 'react';

/** A slug, `webhook_exhausted`, which a narrow column breaks between its words rather than within one. */
export function Slug({ text }: { readonly text: string }) {
  return text.split(/(?<=_)/).map((word, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {word}
    </Fragment>
  ));
}
