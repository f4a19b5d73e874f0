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

/** An option of a command: its flags, their meaning, and the default where that is not the service's. */
type OptionRow = readonly [flags: string, about: string, byDefault?: unknown];

/** The options of a command, each under the field of the input that it sets. Without dashes it is an argument. */
export type OptionRows<Input> = { readonly [Field in FieldOf<Input>]?: OptionRow };

const rowsOf = (rows: object) => Object.entries(rows as Readonly<Record<string, OptionRow>>);

const isArgument = (flags: string) => !flags.startsWith('-');

/** Adds options to a command. The model gives their choices, bounds and defaults, and says which are required. */
export function addOptions(command: Command, rows: object, model: InputModel): Command {
  for (const [field, [flags, about, byDefault]] of rowsOf(rows)) {
    const fieldModel = model.shape[field];
    if (!fieldModel) throw new TypeError(`${command.name()}: its model has no field ${field}.`);
    if (isArgument(flags)) command.argument(flags, about);
    else command.addOption(optionOf(new Option(flags, about), fieldModel, byDefault));
  }
  return command;
}

function optionOf(option: Option, model: FieldModel, byDefault: unknown): Option {
  const { kind, isOptional, defaultValue } = unwrapped(model);
  option.default(byDefault ?? defaultValue).makeOptionMandatory(!isOptional && byDefault === undefined);
  const one = kind.def.type === 'array' ? (kind.def.element as FieldModel) : kind;
  if (one.def.type === 'enum') option.choices(one.options as string[]);
  if (one.def.type === 'number') option.argParser(numberParser(Number(one.minValue), Number(one.maxValue)));
  return option;
}

/** A field's model without `optional`, `nullable` and `default` around it. */
function unwrapped(model: FieldModel): { kind: FieldModel; isOptional: boolean; defaultValue?: unknown } {
  const { type, innerType, defaultValue } = model.def;
  if (innerType === undefined) return { kind: model, isOptional: false };
  const inner = unwrapped(innerType as FieldModel);
  if (type === 'default') return { ...inner, isOptional: true, defaultValue: defaultValue ?? undefined };
  return type === 'optional' ? { ...inner, isOptional: true } : inner;
}

function numberParser(least: number, most: number) {
  const range = `from ${least.toLocaleString('en-US')} to ${most.toLocaleString('en-US')}`;
  return (text: string): number => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Expected a whole number ${range}.`);
  };
}

/** The part of the input that the typed arguments and options set. */
export function inputOf<Input = Record<string, unknown>>(
  command: Command,
  rows: OptionRows<Input>,
): Partial<Input> {
  const options = command.opts<Record<string, unknown>>();
  let place = 0;
  const values = rowsOf(rows).map(([field, [flags]]): [string, unknown] => [
    field,
    isArgument(flags) ? command.processedArgs[place++] : options[new Option(flags).attributeName()],
  ]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Partial<Input>;
}
