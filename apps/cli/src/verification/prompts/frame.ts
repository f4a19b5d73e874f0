import { styleText } from 'node:util';
import { type KeypressEvent, useEffect, useState } from '@inquirer/core';

type Style = Parameters<typeof styleText>[0];

/** Styles text if stderr supports colours. */
export function styled(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stderr });
}

/** The question while open, with its answer once done. */
export function heading(message: string, answer?: string): string {
  const mark = answer === undefined ? styled('blue', '?') : styled('green', '✔');
  return `${mark} ${styled('bold', message)}${answer === undefined ? '' : ` ${styled('cyan', answer)}`}`;
}

/** The lines under a question: its fault if any, how to answer, and the footer. */
export function below(fault: string | undefined, help: string, footer: string): string {
  const lines = [styled('dim', help), styled('dim', footer)];
  return [...(fault === undefined ? [] : [styled('red', `> ${fault}`)]), ...lines].join('\n');
}

/** Milliseconds between two reads of the footer. It is redrawn when it changed. */
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
