import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Block } from '../terminal/table.ts';
import { type Terminal, typedWithout } from '../terminal/terminal.ts';

/** The options of every list. */
export interface PageOptions {
  readonly limit?: number;
  readonly cursor?: string;
  readonly all?: true;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

/** The page parameters of a call. */
interface PageInput {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** The service's largest page: fewest calls for a whole list. */
const LIMIT_MAX = 100;

/** The page size by default. */
const LIMIT = 20;

export function addPageOptions(command: Command): Command {
  return command
    .option('--limit <count>', 'items at most, 1 to 100; 20 when left out', parseCount)
    .option('--cursor <cursor>', 'start where the page before ended: its next_cursor')
    .addOption(new Option('--all', 'every page').conflicts(['limit', 'cursor']));
}

/**
 * One page, or with `--all` every page merged into one. Some lists have pages that are short or empty before the last:
 * reads until the page is full or nothing is left.
 */
export async function readPage<Item>(
  read: (page: PageInput) => Promise<Page<Item>>,
  { limit = LIMIT, cursor, all }: PageOptions,
): Promise<Page<Item>> {
  const items: Item[] = [];
  let next: string | null | undefined = cursor;
  do {
    const page: Page<Item> = await read({ limit: all ? LIMIT_MAX : limit - items.length, cursor: next });
    items.push(...page.items);
    next = page.next_cursor;
  } while (next !== null && (all || items.length < limit));
  return { items, next_cursor: next };
}

/** Prints a page; says on stderr when it is empty or how to get the next one. */
export function answerPage<Item>(
  terminal: Terminal,
  page: Page<Item>,
  { lines, none }: { lines: (items: readonly Item[]) => Block[]; none: string },
): void {
  terminal.answer(page, terminal.json ? [] : lines(page.items));
  if (terminal.json) return;
  if (page.items.length === 0) terminal.say(none);
  if (page.next_cursor !== null)
    terminal.say(`There is more: ${typedWithout('--cursor')} --cursor ${page.next_cursor} (or --all)`);
}

function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a whole number from 1 to 100.');
  return Number(text);
}
