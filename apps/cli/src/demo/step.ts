import { asTyped } from '../terminal/terminal.ts';

/** One displayed step of the demo. */
export interface DemoStep {
  readonly title: string;
  readonly facts: readonly string[];
  /** The commands that a person would type for it. */
  readonly type: readonly string[];
}

/** A step for a person, with its commands as they can be typed here. */
export function stepLines({ title, facts, type }: DemoStep): string[] {
  return [title, ...facts.map((fact) => `  ${fact}`), ...type.map((line) => `  $ ${asTyped(line)}`), ''];
}

/** The curl command for a call; the key stays in its variable. */
export function curl(url: string, { key, body }: { key: boolean; body?: unknown }): string {
  const parts = [`curl ${quoted(url)}`];
  if (key) parts.push('-H "x-key: $IV_API_KEY"');
  if (body !== undefined)
    parts.push("-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(body))}`);
  return parts.join(' ');
}

/** Quotes any text as one shell word. */
function quoted(text: string): string {
  return /^[\w:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
