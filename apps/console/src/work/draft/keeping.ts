import type { Outputs } from '../../api/api.ts';

export type StoredDraft = Outputs['drafts']['save'] & { readonly content: string };
type LeftDraft = NonNullable<Outputs['drafts']['get']['other']>;

/** How far a draft is saved with the service. */
export interface Keeping {
  /** The revision that the next save replaces; null while nothing is saved. */
  readonly revision: number | null;
  /** The text that is saved; null while none is. */
  readonly content: string | null;
  /** By the service's clock, in milliseconds; null while nothing is saved. */
  readonly savedAt: number | null;
  /** `offline`: the service does not answer, and the text is in this tab alone. */
  readonly state: 'idle' | 'typed' | 'saving' | 'offline';
  /** What another tab of this person saved meanwhile. Nothing is saved until the person has chosen. */
  readonly newer: LeftDraft | null;
  /** What somebody else left about the request. */
  readonly left: LeftDraft | null;
}

export const NOT_SAVED: Keeping = {
  revision: null,
  content: null,
  savedAt: null,
  state: 'idle',
  newer: null,
  left: null,
};

/** The part of a stored draft that the next save starts from. */
export const asSaved = ({ revision, content, saved_at: savedAt }: StoredDraft) => ({
  revision,
  content,
  savedAt: Date.parse(savedAt),
});
