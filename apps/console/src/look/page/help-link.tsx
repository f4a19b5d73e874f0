import { Unseen } from '../unseen.tsx';
import { helpOf } from './help-of.ts';

/** Leads to the help of a page, in a tab of its own: what is typed here stays. */
export function HelpLink({ path }: { readonly path: string }) {
  return (
    <a href={helpOf(path)} target="_blank" rel="noreferrer">
      Help<Unseen> with this page, in a new tab</Unseen>
    </a>
  );
}
