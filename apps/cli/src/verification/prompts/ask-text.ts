import { createPrompt, isEnterKey, isUpKey, useEffect, useKeypress, useState } from '@inquirer/core';
import { visible } from '../../terminal/visible.ts';
import { ask, type Asking, type Back, BACK, type Drawing } from './asking.ts';
import { below, heading, isEscape, useFooter } from './frame.ts';

interface TextQuestion {
  readonly message: string;
  /** The expected format, shown while the question is open. */
  readonly hint: string;
  /** The previous answer, editable. */
  readonly before: string;
  /** What is wrong with the text; undefined when it is acceptable. */
  readonly faultOf: (text: string) => string | undefined;
}

const prompt = createPrompt<string | Back, TextQuestion & Drawing>((config, done) => {
  const [text, setText] = useState('');
  const [isDone, setDone] = useState(false);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const footer = useFooter(config.footer);
  useEffect((rl) => {
    if (config.before === '') return;
    rl.write(config.before);
    setText(config.before);
  }, []);
  useKeypress((key, rl) => {
    if (isEscape(key) || isUpKey(key)) return done(BACK);
    if (!isEnterKey(key)) {
      setText(rl.line);
      return setFault(undefined);
    }
    const found = config.faultOf(text.trim());
    if (found === undefined) {
      config.keep();
      setDone(true);
      return done(text.trim());
    }
    rl.write(text); // readline cleared its line; put the text back for the person to correct
    setFault(found);
  });
  if (isDone) return heading(config.message, visible(text.trim()));
  return [`${heading(`${config.message} (${config.hint})`)} ${text}`, below(fault, 'Esc or ↑: back', footer)];
});

/** Asks for a line of text. An empty one means none, where the question allows it. */
export function askText(question: TextQuestion, asking: Asking): Promise<string | Back> {
  return ask<TextQuestion, string | Back>(prompt, question, asking);
}
