import css from './table.module.css';

/** Next to what belongs to a test account; nothing next to what is live, or of no account. */
export const TestMark = ({ mode }: { readonly mode: 'live' | 'test' | null | undefined }) =>
  mode === 'test' ? <span className={css.test}>test</span> : null;
