import {
  createPrompt,
  isDownKey,
  isEnterKey,
  isUpKey,
  useKeypress,
  usePagination,
  useState,
} from '@inquirer/core';
import { ask, type Asking, type Back, BACK, type Drawing } from './asking.ts';
import { below, heading, isEscape, styled, useFooter } from './frame.ts';

export interface Choice<Value> {
  readonly name: string;
  readonly value: Value;
  /** Shown while the choice is marked. */
  readonly description?: string;
}

interface ChoiceQuestion<Value> {
  readonly message: string;
  readonly choices: readonly Choice<Value>[];
  /** The previous choice, marked again; without it nothing is marked. */
  readonly before?: Value | undefined;
}

const NONE = -1;
const PAGE_SIZE = 12;

const prompt = createPrompt<number | Back, ChoiceQuestion<unknown> & Drawing>((config, done) => {
  const { choices, message } = config;
  const [marked, setMarked] = useState(
    config.before === undefined ? NONE : choices.findIndex(({ value }) => value === config.before),
  );
  const [isDone, setDone] = useState(false);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const footer = useFooter(config.footer);
  useKeypress((key, rl) => {
    const typed = rl.line;
    setFault(undefined);
    if (isEnterKey(key)) {
      if (marked === NONE) return setFault('Nothing is marked: ↑ ↓ or its number first.');
      config.keep();
      setDone(true);
      return done(marked);
    }
    if (isEscape(key) || (isUpKey(key) && marked <= 0)) return done(BACK);
    if (isUpKey(key)) return setMarked(marked - 1);
    if (isDownKey(key)) return setMarked(Math.min(marked + 1, choices.length - 1));
    const found = namedBy(typed, choices) ?? namedBy(typed.slice(-1), choices);
    if (found === undefined) rl.clearLine(0);
    else setMarked(found);
  });
  const page = usePagination({
    items: choices.map(({ name }, index) => `${index + 1}. ${name}`),
    active: Math.max(marked, 0),
    pageSize: PAGE_SIZE,
    loop: false,
    renderItem: ({ item, index }) => (index === marked ? styled('cyan', `❯ ${item}`) : `  ${item}`),
  });
  if (isDone) return heading(message, choices[marked]?.name ?? '');
  const description = choices[marked]?.description;
  const lines = [heading(message), page, ...(description === undefined ? [] : [styled('cyan', description)])];
  return [lines.join('\n'), below(fault, '↑ ↓ or a number, Enter · Esc: back', footer)];
});

/** The choice with the typed number, or whose name begins with the typed text. */
function namedBy(typed: string, choices: readonly Choice<unknown>[]): number | undefined {
  if (/^[1-9]\d?$/.test(typed)) return Number(typed) <= choices.length ? Number(typed) - 1 : undefined;
  const found =
    typed === '' ? NONE : choices.findIndex(({ name }) => name.toLowerCase().startsWith(typed.toLowerCase()));
  return found === NONE ? undefined : found;
}

/** Asks for one of several. Nothing is marked at first, so Enter alone answers nothing. */
export async function askChoice<Value>(
  question: ChoiceQuestion<Value>,
  asking: Asking,
): Promise<Value | Back> {
  const answer = await ask<ChoiceQuestion<unknown>, number | Back>(prompt, question, asking);
  if (answer === BACK) return BACK;
  const choice = question.choices[answer];
  if (!choice) throw new Error('A choice was made that is none.');
  return choice.value;
}
