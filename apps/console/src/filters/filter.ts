/** One filter of a list, whose value stands in the address of the page. */
export interface Filter<Name extends string> {
  readonly name: Name;
  readonly label: string;
  /** The options as value and label; without them something is typed. */
  readonly choices?: readonly (readonly [value: string, word: string])[];
  /** The word for no choice; `All` without it. */
  readonly none?: string;
  readonly hint?: string;
  /** `account`: an account by its name. `search`: the field that `/` leads to, which always shows. */
  readonly kind?: 'text' | 'number' | 'time' | 'account' | 'search';
  /** Shown once it is set, or under “More”. */
  readonly rare?: true;
}
