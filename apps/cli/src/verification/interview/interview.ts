import type { ValidationError, WorkItem } from '@insurance-verification/schema';
import type { Terminal } from '../../terminal/terminal.ts';
import { visible } from '../../terminal/visible.ts';
import { askChoice } from '../prompts/ask-choice.ts';
import { type Asking, BACK } from '../prompts/asking.ts';
import type { Draft } from './draft.ts';
import type { Field } from './field.ts';
import { fieldsOf } from './fields-of.ts';
import { summaryLines } from './summary-lines.ts';

export interface Interview {
  readonly item: WorkItem;
  /** Filled in by the interview. */
  readonly draft: Draft;
  readonly asking: Asking;
  readonly terminal: Terminal;
}

/** Asks until the draft is complete and the person confirms it. Rejects on the signal and on Ctrl-C. */
export async function interview(of: Interview): Promise<void> {
  const { draft } = of;
  await askUnanswered(of);
  while (draft.kind !== 'release') {
    const step = await review(of);
    if (step === 'send') return;
    if (step === 'add') draft.coverages.push({});
    if (step === 'remove') draft.coverages.pop();
    if (step === 'release') draft.kind = 'release';
    if (step === 'change') await changeOne(of);
    if (step === BACK) await askBackwards(of, fieldsOf(of.item, draft).length - 1);
    await askUnanswered(of);
  }
}

/**
 * Repeats the questions whose answers the service refused, with its reasons; the other answers stay.
 * @returns whether there was anything to ask.
 */
export async function askRefused(of: Interview, faults: readonly ValidationError[]): Promise<boolean> {
  const { item, draft, asking, terminal } = of;
  const fields = fieldsOf(item, draft);
  let askedCount = 0;
  for (const { loc, msg } of faults) {
    const path = loc.slice(1);
    const refused = refusedOf(fields, path);
    const name = refused.map((field) => field.name).join(', ') || path.join('.');
    terminal.say(`Refused: ${visible(name)}: ${visible(msg)}.`);
    for (const field of refused) await field.ask(asking);
    askedCount += refused.length;
  }
  return askedCount > 0;
}

/** The fields that a refusal's path names; of nested ones, the innermost answered one. */
function refusedOf(fields: readonly Field[], path: readonly (string | number)[]): Field[] {
  const met = fields.filter(({ path: own, isAnswered }) => {
    const [shorter, longer] = own.length < path.length ? [own, path] : [path, own];
    return own.length > 0 && isAnswered() && shorter.every((part, index) => part === longer[index]);
  });
  const depth = Math.max(...met.map(({ path: own }) => own.length));
  return met.filter(({ path: own }) => own.length === depth);
}

async function askUnanswered(of: Interview): Promise<void> {
  for (;;) {
    const at = fieldsOf(of.item, of.draft).findIndex((field) => !field.isAnswered());
    if (at < 0) return;
    await askBackwards(of, at);
  }
}

/** Asks one field; each time the person goes back, the previous one. */
async function askBackwards({ item, draft, asking }: Interview, from: number): Promise<void> {
  let at = from;
  while (!(await fieldsOf(item, draft)[at]?.ask(asking))) at = Math.max(at - 1, 0);
}

async function review({ item, draft, asking, terminal }: Interview) {
  for (const line of summaryLines(item, draft)) terminal.say(line);
  const ofResult = [
    { name: 'Add another coverage', value: 'add' as const },
    ...(draft.coverages.length > 1 ? [{ name: 'Drop the last coverage', value: 'remove' as const }] : []),
  ];
  return askChoice(
    {
      message: 'Is that right?',
      choices: [
        { name: 'Yes, hand it in', value: 'send' as const },
        { name: 'Change a field', value: 'change' as const },
        ...(draft.kind === 'result' ? ofResult : []),
        { name: 'Give the request back', value: 'release' as const },
      ],
    },
    asking,
  );
}

async function changeOne({ item, draft, asking }: Interview): Promise<void> {
  const fields = fieldsOf(item, draft);
  const choices = fields.map((field) => ({ name: `${field.name}: ${field.told()}`, value: field }));
  const field = await askChoice({ message: 'Which field?', choices }, asking);
  if (field !== BACK) await field.ask(asking);
}
