import type { RouterInputs, RouterOutputs } from '@insurance-verification/client';
import { type Operation, type OperationName, OPERATIONS } from '@insurance-verification/schema/contract';
import { type Command, InvalidArgumentError, Option } from 'commander';

export type InputOf<Name extends OperationName> = Of<RouterInputs, Name>;
export type OutputOf<Name extends OperationName> = Of<RouterOutputs, Name>;

/** The member `group.name` of a router's inputs or outputs. */
type Of<
  Groups,
  Name extends string,
> = Name extends `${infer Group extends keyof Groups & string}.${infer Rest}`
  ? Rest extends keyof Groups[Group]
    ? Groups[Group][Rest]
    : never
  : never;

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
export type OptionRows<Name extends OperationName> = {
  readonly [Field in FieldOf<InputOf<Name>>]?: OptionRow;
};

/** The models of an operation's input, by field. */
export function shapeOf(operation: OperationName): Readonly<Record<string, FieldModel>> {
  const { input }: Pick<Operation, 'input'> = OPERATIONS[operation];
  return input?.shape ?? {};
}

const rowsOf = (rows: object) => Object.entries(rows as Readonly<Record<string, OptionRow>>);

const isArgument = (flags: string) => !flags.startsWith('-');

/** Adds options to a command. The contract gives their choices, bounds and defaults, and says which are required. */
export function addOptions<Name extends OperationName>(
  command: Command,
  operation: Name,
  rows: OptionRows<Name>,
): Command {
  const shape = shapeOf(operation);
  for (const [field, [flags, about, byDefault]] of rowsOf(rows)) {
    const model = shape[field];
    if (!model) throw new TypeError(`${operation} has no field ${field}.`);
    if (isArgument(flags)) command.argument(flags, about);
    else command.addOption(optionOf(new Option(flags, about), model, byDefault));
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
export function inputOf<Name extends OperationName>(
  command: Command,
  rows: OptionRows<Name>,
): Partial<InputOf<Name>> {
  const options = command.opts<Record<string, unknown>>();
  let place = 0;
  const values = rowsOf(rows).map(([field, [flags]]): [string, unknown] => [
    field,
    isArgument(flags) ? command.processedArgs[place++] : options[new Option(flags).attributeName()],
  ]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Partial<InputOf<Name>>;
}
