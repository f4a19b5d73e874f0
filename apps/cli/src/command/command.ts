import { text } from 'node:stream/consumers';
import type { RestClient } from '@insurance-verification/client';
import type { OperationName } from '@insurance-verification/schema/contract';
import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { nameMissing, type Subject, SUBJECTS } from '../failure/failure.ts';
import { connect } from '../service/connect.ts';
import { type Block, type Cell, fields, table } from '../terminal/table.ts';
import {
  addOptions,
  type FieldOf,
  type InputOf,
  inputOf,
  type OptionRows,
  type OutputOf,
  shapeOf,
} from './options.ts';
import { addPageOptions, answerPage, type Page, type PageOptions, readPage } from './page.ts';

/** The fields of an item that fit a cell. */
type CellOf<Item> = {
  [Field in FieldOf<Item>]: Item[Field & keyof Item] extends Cell | readonly string[] ? Field : never;
}[FieldOf<Item>];

/** A column of a table, or a line of an answer: a field under its own name, or a value under another one. */
export type Column<Item> =
  | CellOf<Item>
  | readonly [name: string, value: CellOf<Item> | ((item: Item) => Cell)];

type ItemOf<Output> = Output extends { readonly items: readonly (infer Item)[] } ? Item : never;

/** How an answer is shown to a person. */
type Shown<Output> =
  /** A row for each item, page by page where the input has a cursor; `none` is printed when there are no items. */
  | { readonly columns: readonly Column<ItemOf<Output>>[]; readonly none: string }
  /** A line for each field. */
  | { readonly fields: readonly Column<Output>[] }
  | { readonly blocks: (output: Output) => Block[] };

/** A command that calls one operation and prints its answer. */
type CommandRow<Name extends OperationName> = CommandFacts<InputOf<Name>, OutputOf<Name>> &
  Shown<OutputOf<Name> & Partial<Record<Subject, string>>> & { readonly options?: OptionRows<Name> };

/** A row of any operation, once the types have checked it. */
type AnyRow = CommandFacts<Any, Answer> & Shown<Answer> & { readonly options?: object };

interface CommandFacts<Input, Output> {
  readonly example: string;
  readonly about: string;
  /** The command's first argument: the id of the thing that it is about. */
  readonly of?: FieldOf<Input> & Subject;
  /** Follows the id in the message of a 404: `of an operator`. */
  readonly kind?: string;
  /** Whether the printed answer begins with that id, which the service's lacks. */
  readonly echoes?: true;
  /** The field whose value `-` is read from stdin, so that the shell's history has no patient in it. */
  readonly stdin?: FieldOf<Input>;
  /** A message on stderr after an answer for a person; empty for none. */
  readonly say?: (output: Output) => string;
  /** Whether the name of the group is enough to run it. */
  readonly isDefault?: true;
}

/** An input or an item of any operation. */
type Any = Readonly<Record<string, Cell | readonly string[]>>;

/** An answer. A row with columns is of an answer with items. */
type Answer = Any & { readonly items: readonly Any[] };

/** Makes a command of a row. */
export function command<Name extends OperationName>(
  name: string,
  operation: Name,
  typed: CommandRow<Name>,
): (group: Command) => void {
  const row = typed as unknown as AnyRow;
  const { of, options = {} } = row;
  return (group) => {
    const added = withExample(group.command(name, { isDefault: row.isDefault === true }), row.example);
    added.description(row.about);
    if (of !== undefined) added.argument(`<${of}>`, SUBJECTS[of].about);
    const isPaged = 'cursor' in shapeOf(operation);
    if (isPaged) addPageOptions(added);
    addOptions(added, operation, options).action(() => run(added, operation, row, isPaged));
  };
}

async function run(typed: Command, operation: OperationName, row: AnyRow, isPaged: boolean) {
  const { client, terminal } = await connect(typed);
  const { of, stdin } = row;
  const [id = ''] = typed.args;
  const input: Record<string, unknown> = {
    ...(of !== undefined && { [of]: id }),
    ...inputOf(typed, row.options ?? {}),
  };
  if (stdin !== undefined && input[stdin] === '-') input[stdin] = (await text(process.stdin)).trim();
  if (isPaged && 'columns' in row) {
    const read = (page: object) => call(client, operation, { ...input, ...page }) as Promise<Page<Any>>;
    const page = await readPage(read, typed.opts<PageOptions>());
    answerPage(terminal, page, { lines: (items) => tableOf(row.columns, items), none: row.none });
    return;
  }
  const calling = call(client, operation, input);
  const answered = await (of === undefined ? calling : nameMissing(of, id, calling, row.kind));
  const output = { ...(of !== undefined && row.echoes && { [of]: id }), ...(answered as Answer) };
  terminal.answer(output, terminal.json ? [] : linesOf(row, output));
  if (terminal.json) return;
  if ('columns' in row && output.items.length === 0) terminal.say(row.none);
  const said = row.say?.(output);
  if (said) terminal.say(said);
}

function call(client: RestClient, operation: OperationName, input: object): Promise<unknown> {
  const [group = '', method = ''] = operation.split('.');
  const groups = client as unknown as Record<string, Record<string, (input: object) => Promise<unknown>>>;
  const send = groups[group]?.[method];
  if (!send) throw new TypeError(`The client has no operation ${operation}.`);
  return send(input);
}

function linesOf(row: Shown<Answer>, output: Answer): Block[] {
  if ('blocks' in row) return row.blocks(output);
  if ('fields' in row) return fields(row.fields.map((column) => [nameOf(column), valueOf(column, output)]));
  return tableOf<Any>(row.columns, output.items);
}

/** A table whose columns are fields of the items, or values of them. */
export function tableOf<Item>(columns: readonly Column<Item>[], items: readonly Item[]): Block[] {
  return table(
    columns.map((column) => nameOf(column).toUpperCase()),
    items.map((item) => columns.map((column) => valueOf(column, item))),
  );
}

const nameOf = <Item>(column: Column<Item>): string => (typeof column === 'string' ? column : column[0]);

function valueOf<Item>(column: Column<Item>, item: Item): Cell {
  const value = typeof column === 'string' ? column : column[1];
  const found = typeof value === 'function' ? value(item) : (item as Any)[value];
  return Array.isArray(found) ? found.join(' ') : (found as Cell);
}
