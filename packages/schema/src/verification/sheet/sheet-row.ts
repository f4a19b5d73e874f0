import * as z from 'zod';
import { SubmittedBenefit } from '../../benefits/submitted-benefits.ts';
import { list } from '../../field/list.ts';
import { enumeration, model } from '../../model.ts';
import { SHEETS } from './sheets.ts';

/** The sheets that are there without a configuration; see {@link SHEETS}. */
export const SheetName = enumeration('SheetName', 'A sheet of questions that every payer may be asked.', [
  'dental',
  'medical',
]);
export type SheetName = z.infer<typeof SheetName>;

/**
 * How the answer to a row is typed, and where it goes: `dollars` to `amount`, `percent`, `age` and `months` to
 * `quantity`, `often` to `frequency`, `day` to `dates` (the last one), `provider` to `related`, each with `says`;
 * `yes_no` chooses `yes` or `no`; `network` goes to every benefit of the sheet, `group_number` and `order` to the coverage.
 */
export const SheetAnswer = enumeration('SheetAnswer', 'How the answer to a row is typed.', [
  'dollars',
  'percent',
  'age',
  'months',
  'often',
  'day',
  'provider',
  'yes_no',
  'network',
  'group_number',
  'order',
]);
export type SheetAnswer = z.infer<typeof SheetAnswer>;

/** A question of a sheet, in a verifier's words (`sheet` of a payer). */
export const SheetRow = model(
  'SheetRow',
  'A question for the payer, and the benefit that its answer makes.',
  {
    id: z
      .string()
      .regex(/^\w{1,40}$/)
      .meta({ description: 'Its id: letters, digits and _.' }),
    label: z.string().min(1).max(80).meta({ description: 'The question.' }),
    reads: SheetAnswer.meta({
      description:
        '`dollars`: the amount; `percent`: the patient’s; `age`, `months`: a quantity; `often`: a frequency; `day`: the last date; `provider`: a name; `yes_no`: `yes` or `no`; `network`, `group_number`, `order`: of the coverage.',
    }),
    says: SubmittedBenefit.optional().meta({ description: 'The benefit; the answer completes it.' }),
    yes: SubmittedBenefit.optional().meta({ description: 'The benefit that a yes is.' }),
    no: SubmittedBenefit.optional().meta({ description: 'The benefit that a no is.' }),
  },
);
/** {@link SheetRow} as a type; an interface, so that the types of the clients name it and stay short. */
export interface SheetRow extends z.infer<typeof SheetRow> {}

/** The most rows of a sheet. */
const ROW_COUNT_MAX = 100;

/** Answers that make no benefit of their own. */
const OF_COVERAGE: ReadonlySet<SheetAnswer> = new Set(['network', 'group_number', 'order']);

/** A row in a configuration, where a misspelt member must not be dropped. */
const FiledRow = z.unknown().transform((given, context): SheetRow => {
  const read = SheetRow.safeParse(given);
  if (!read.success) {
    for (const { path, message } of read.error.issues) context.addIssue({ code: 'custom', path, message });
    return z.NEVER;
  }
  for (const [path, message] of [...unknownMembers(given, read.data), ...faultsOf(read.data)])
    context.addIssue({ code: 'custom', path, message });
  return read.data;
});

function* faultsOf({ reads, says, yes, no }: SheetRow): Generator<[path: string[], message: string]> {
  const takes = {
    says: !OF_COVERAGE.has(reads) && reads !== 'yes_no',
    yes: reads === 'yes_no',
    no: reads === 'yes_no',
  };
  for (const [name, benefit] of Object.entries({ says, yes, no })) {
    const isTaken = takes[name as keyof typeof takes];
    if (isTaken && !benefit) yield [[name], `a row that reads ${reads} needs the benefit that it makes`];
    if (!isTaken && benefit) yield [[name], `a row that reads ${reads} has no such benefit`];
    if (benefit?.quote) yield [[name, 'quote'], 'a quote is what the payer says when it is asked'];
  }
}

/** The members of a value that are not in what was read of it. */
function* unknownMembers(given: unknown, read: unknown, path: string[] = []): Generator<[string[], string]> {
  if (typeof given !== 'object' || given === null) return;
  for (const [name, member] of Object.entries(given)) {
    const known = typeof read === 'object' && read !== null && Object.hasOwn(read, name);
    if (!known) yield [[...path, name], 'no such member'];
    else yield* unknownMembers(member, (read as Record<string, unknown>)[name], [...path, name]);
  }
}

const FiledRows = z
  .array(FiledRow)
  .min(1)
  .max(ROW_COUNT_MAX)
  .refine((rows) => new Set(rows.map(({ id }) => id)).size === rows.length, 'two rows have one id');

/** The rows of a sheet in a configuration, which gives a name or the rows. Its faults are those of the rows, each at its place. */
export const filedSheet = () =>
  z
    .union([SheetName, z.array(z.unknown())], { error: 'expected "dental", "medical" or a list of rows' })
    .transform((given, context): SheetRow[] => {
      if (typeof given === 'string') return [...SHEETS[given]];
      const read = FiledRows.safeParse(given);
      if (read.success) return read.data;
      for (const { path, message } of read.error.issues) context.addIssue({ code: 'custom', path, message });
      return z.NEVER;
    });

/** The sheet of a payer, for those who ask it. Its type is named, so that the types of the clients stay short. */
export const sheetField = (): z.ZodType<SheetRow[] | null, SheetRow[] | null> =>
  list(SheetRow).nullable().meta({
    description: 'What to ask in addition; null: nothing. Answers are `benefits`.',
  });
