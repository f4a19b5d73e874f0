import { type Command, InvalidArgumentError, Option } from 'commander';

/** An operation's input, as its model in `@insurance-verification/schema` has it. */
export interface InputModel {
  readonly shape: Readonly<Record<string, FieldModel>>;
}

/** The parts of a Zod model that say which texts an option may have. */
interface FieldModel {
  readonly def: {
    readonly type: string;
    readonly innerType?: unknown;
    readonly element?: unknown;
    readonly defaultValue?: unknown;
  };
  readonly options?: unknown;
  readonly minValue?: unknown;
  readonly maxValue?: unknown;
}

/** The names of an input's fields; none of an operation that takes no input. */
export type FieldOf<Input> = Input extends object ? keyof Input & string : never;

/** An option of a command: how it is typed, what it means, and its default where that is not the service's. */
type OptionRow = readonly [flags: string, about: string, byDefault?: unknown];

/** The options of a command, each under the field of the input that it sets. Without dashes it is an argument. */
export type OptionRows<Input> = { readonly [Field in FieldOf<Input>]?: OptionRow };

const rowsOf = (rows: object) => Object.entries(rows as Readonly<Record<string, OptionRow>>);

const isArgument = (flags: string) => !flags.startsWith('-');

/** Adds options to a command. The model gives their choices, bounds and defaults, and says which are required. */
export function addOptions(command: Command, rows: object, model?: InputModel): Command {
  for (const [field, [flags, about, byDefault]] of rowsOf(rows)) {
    if (isArgument(flags)) command.argument(flags, about);
    else command.addOption(optionOf(new Option(flags, about).default(byDefault), model?.shape[field]));
  }
  return command;
}

function optionOf(option: Option, model: FieldModel | undefined): Option {
  let kind = model;
  let isRequired = model !== undefined && option.defaultValue === undefined;
  while (kind?.def.innerType !== undefined) {
    isRequired &&= kind.def.type !== 'optional' && kind.def.type !== 'default';
    const byDefault = kind.def.type === 'default' ? (kind.def.defaultValue ?? undefined) : undefined;
    if (option.defaultValue === undefined) option.default(byDefault);
    kind = kind.def.innerType as FieldModel;
  }
  if (kind?.def.type === 'array') kind = kind.def.element as FieldModel;
  if (kind?.def.type === 'enum') option.choices(kind.options as string[]);
  if (kind?.def.type === 'number') option.argParser(numberParser(kind.minValue, kind.maxValue));
  return isRequired ? option.makeOptionMandatory() : option;
}

function numberParser(min: unknown, max: unknown) {
  const [least, most] = [Number(min), Number(max)];
  const range = `from ${least.toLocaleString('en-US')} to ${most.toLocaleString('en-US')}`;
  return (text: string): number => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Expected a whole number ${range}.`);
  };
}

/** The input that the typed arguments and options of {@link OptionRows} set. */
export function inputOf(command: Command, rows: object): Record<string, unknown> {
  const options = command.opts<Record<string, unknown>>();
  let place = 0;
  const values = rowsOf(rows).map(([field, [flags]]): [string, unknown] => [
    field,
    isArgument(flags) ? command.processedArgs[place++] : options[new Option(flags).attributeName()],
  ]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}
