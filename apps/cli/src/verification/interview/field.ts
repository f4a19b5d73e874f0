import { date } from '@insurance-verification/schema';
import { visible } from '../../terminal/visible.ts';
import { askChoice, type Choice } from '../prompts/ask-choice.ts';
import { askText } from '../prompts/ask-text.ts';
import { type Asking, BACK } from '../prompts/asking.ts';

/** One question of the interview. */
export interface Field {
  /** Its name in the question, the summary and a refusal. */
  readonly name: string;
  /** Its path in the service's refusals, after `body`. */
  readonly path: readonly (string | number)[];
  readonly isAnswered: () => boolean;
  /** The answer for the summary. */
  readonly told: () => string;
  /** False: the person goes back, and the previous answer is kept. */
  readonly ask: (asking: Asking) => Promise<boolean>;
}

type Facts = Pick<Field, 'name' | 'path'>;

/** A line of text; an empty one is null, unless an answer is required. */
export function textField<Key extends string>(
  draft: { [key in Key]?: string | null },
  key: Key,
  { name, path }: Facts,
  { hint = 'empty: none', faultOf = () => undefined }: Partial<TextRules> = {},
): Field {
  return {
    name,
    path,
    isAnswered: () => draft[key] !== undefined,
    told: () => visible(draft[key] ?? '') || '-',
    ask: async (asking) => {
      const question = { message: name, hint, before: draft[key] ?? '', faultOf };
      const answer = await askText(question, asking);
      if (answer === BACK) return false;
      draft[key] = answer || null;
      return true;
    },
  };
}

interface TextRules {
  /** The expected format. */
  readonly hint: string;
  readonly faultOf: (text: string) => string | undefined;
}

/** A date; an empty answer is null. `faultOf` checks what is a valid date. */
export function dateField<Key extends string>(
  draft: { [key in Key]?: string | null },
  key: Key,
  facts: Facts,
  faultOf: (day: string) => string | undefined,
): Field {
  return textField(draft, key, facts, {
    hint: 'YYYY-MM-DD; empty: not told',
    faultOf: (text) => {
      if (text === '') return undefined;
      const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && date().safeParse(text).success;
      return isDay ? faultOf(text) : 'Expected a day as 2026-01-31, or nothing.';
    },
  });
}

/** One of several choices, none preselected. */
export function choiceField<Key extends string, Value>(
  draft: { [key in Key]?: Value },
  key: Key,
  { name, path }: Facts,
  choices: readonly Choice<Value>[],
): Field {
  return {
    name,
    path,
    isAnswered: () => draft[key] !== undefined,
    told: () => choices.find(({ value }) => value === draft[key])?.name ?? '-',
    ask: async (asking) => {
      const answer = await askChoice({ message: name, choices, before: draft[key] }, asking);
      if (answer === BACK) return false;
      draft[key] = answer;
      return true;
    },
  };
}
