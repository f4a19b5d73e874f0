import { Unseen } from '../unseen.tsx';
import { helpOf } from './help-of.ts';

/** A link to the help of a page. It opens another tab, so that typed text stays. */
export function HelpLink({ path }: { readonly path: string }) {
  return (
    <a href={helpOf(path)} target="_blank" rel="noreferrer">
      Help<Unseen> with this page, in a new tab</Unseen>
    </a>
  );
}
