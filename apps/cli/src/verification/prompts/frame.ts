import { styleText } from 'node:util';
import { type KeypressEvent, useEffect, useState } from '@inquirer/core';

type Style = Parameters<typeof styleText>[0];

/** Colours, where stderr shows them. */
export function styled(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stderr });
}

/** A question while it is open, and what was answered once it is done. */
export function heading(message: string, answer?: string): string {
  const mark = answer === undefined ? styled('blue', '?') : styled('green', '✔');
  return `${mark} ${styled('bold', message)}${answer === undefined ? '' : ` ${styled('cyan', answer)}`}`;
}

/** What stands under a question: a fault when there is one, how to answer, and the person's footer. */
export function below(fault: string | undefined, help: string, footer: string): string {
  const lines = [styled('dim', help), styled('dim', footer)];
  return [...(fault === undefined ? [] : [styled('red', `> ${fault}`)]), ...lines].join('\n');
}

/** Milliseconds between two looks at the footer. It is drawn again when it says something else. */
const FOOTER_MS = 1_000;

export function useFooter(footer: () => string): string {
  const [text, setText] = useState(footer());
  useEffect(() => {
    const timer = setInterval(() => setText(footer()), FOOTER_MS);
    return () => clearInterval(timer);
  }, []);
  return text;
}

export function isEscape({ name }: KeypressEvent): boolean {
  return name === 'escape';
}
