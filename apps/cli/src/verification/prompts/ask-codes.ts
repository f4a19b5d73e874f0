import {
  createPrompt,
  isDownKey,
  isEnterKey,
  isSpaceKey,
  isUpKey,
  useKeypress,
  usePagination,
  useState,
} from '@inquirer/core';
import { visible } from '../../terminal/visible.ts';
import { ask, type Asking, type Back, BACK, type Drawing } from './asking.ts';
import { below, heading, isEscape, styled, useFooter } from './frame.ts';

/** What the payer said about one procedure code. */
const CODE_ANSWERS = ['not told', 'covered', 'not covered'] as const;
type CodeAnswer = (typeof CODE_ANSWERS)[number];
export type CodeAnswers = readonly { readonly code: string; readonly answer: CodeAnswer }[];

const BY_KEY: Readonly<Record<string, CodeAnswer>> = { c: 'covered', n: 'not covered', t: 'not told' };
const PAGE_SIZE = 12;
const HELP = 'c covered, n not covered, t not told, or Space · ↑ ↓, Enter · Esc: back';

interface CodesQuestion {
  readonly message: string;
  readonly before: CodeAnswers;
}

const prompt = createPrompt<CodeAnswers | Back, CodesQuestion & Drawing>((config, done) => {
  const [answers, setAnswers] = useState<CodeAnswers>(config.before);
  const [at, setAt] = useState(0);
  const [isDone, setDone] = useState(false);
  const footer = useFooter(config.footer);
  useKeypress((key, rl) => {
    rl.clearLine(0);
    if (isEscape(key) || (isUpKey(key) && at === 0)) return done(BACK);
    if (isEnterKey(key)) {
      config.keep();
      setDone(true);
      return done(answers);
    }
    if (isUpKey(key)) return setAt(at - 1);
    if (isDownKey(key)) return setAt(Math.min(at + 1, answers.length - 1));
    const answer = isSpaceKey(key) ? after(answers[at]?.answer) : BY_KEY[key.name];
    if (answer === undefined) return;
    setAnswers(answers.map((row, index) => (index === at ? { ...row, answer } : row)));
    if (!isSpaceKey(key)) setAt(Math.min(at + 1, answers.length - 1));
  });
  const width = Math.max(...answers.map(({ code }) => visible(code).length));
  const page = usePagination({
    items: answers,
    active: at,
    pageSize: PAGE_SIZE,
    loop: false,
    renderItem: ({ item: { code, answer }, isActive }) => {
      const line = `${visible(code).padEnd(width)}  ${answer}`;
      return isActive ? styled('cyan', `❯ ${line}`) : `  ${line}`;
    },
  });
  if (isDone) return heading(config.message, codesText(answers));
  return [`${heading(config.message)}\n${page}`, below(undefined, HELP, footer)];
});

function after(answer: CodeAnswer | undefined): CodeAnswer | undefined {
  return CODE_ANSWERS[(CODE_ANSWERS.findIndex((each) => each === answer) + 1) % CODE_ANSWERS.length];
}

/** `D0120 covered, D1110 not told`. */
export function codesText(answers: CodeAnswers): string {
  return answers.map(({ code, answer }) => `${visible(code)} ${answer}`).join(', ');
}

/** Asks what the payer said about each code. All begin as `not told`, which claims nothing about the patient. */
export function askCodes(question: CodesQuestion, asking: Asking): Promise<CodeAnswers | Back> {
  return ask<CodesQuestion, CodeAnswers | Back>(prompt, question, asking);
}
