import { Icon, type IconName } from './icon.tsx';
import css from './mark.module.css';
import { WholeWords } from './text/whole-words.tsx';

export type Tone = Exclude<IconName, 'none' | 'wait'> | 'quiet' | 'wait';

/** A status as an icon and a word; the colour is only an addition. */
export function Mark({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return (
    <span className={`${css.mark} ${css[`mark-${tone}`] ?? ''}`}>
      <Icon name={tone === 'quiet' ? 'none' : tone} />
      <span>
        <WholeWords text={children} />
      </span>
    </span>
  );
}
