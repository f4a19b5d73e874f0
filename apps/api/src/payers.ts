import { readFileSync } from 'node:fs';
import { assertPayerNames, DEFAULT_PAYERS, type PayerNames } from '@insurance-verification/schema';
import * as z from 'zod';

/** A configured payer. Rows store both: the id survives a change of the name. */
interface ConfiguredPayer {
  readonly id: string;
  readonly name: string;
}

/** The four payers, in their order. */
export interface Payers {
  readonly names: PayerNames;
  readonly all: readonly ConfiguredPayer[];
  /** The id of a configured name. Asserts that it is one: validated bodies name no other. */
  idOf(name: string): string;
}

const PayersFile = z.object({
  payers: z.array(z.object({ id: z.string().regex(/^[\w-]{1,64}$/), name: z.string() })),
});

/**
 * The payers of `PAYERS`, `PAYERS_FILE` or, with neither, the placeholders. With `PAYERS` alone a payer's id is its
 * name; the file gives ids of their own, so that a payer can be renamed.
 * @throws {TypeError} for anything but four distinct, non-empty names with distinct ids, and when both are given and
 * differ.
 */
export function readPayers({
  PAYERS,
  PAYERS_FILE,
}: {
  PAYERS?: string | undefined;
  PAYERS_FILE?: string | undefined;
}): Payers {
  const listed = PAYERS === undefined ? undefined : parseNames(PAYERS);
  const filed = PAYERS_FILE === undefined ? undefined : parseFile(PAYERS_FILE);
  if (listed && filed && JSON.stringify(listed) !== JSON.stringify(filed.map(({ name }) => name))) {
    throw new TypeError('PAYERS and PAYERS_FILE name different payers. Set one of them, or make them agree.');
  }
  try {
    return createPayers(filed ?? (listed ?? DEFAULT_PAYERS).map((name) => ({ id: name, name })));
  } catch (err) {
    if (!(err instanceof TypeError)) throw err;
    throw new TypeError(`${filed ? 'PAYERS_FILE' : 'PAYERS'}: ${err.message}`, { cause: err });
  }
}

function createPayers(all: readonly ConfiguredPayer[]): Payers {
  const names = all.map(({ name }) => name);
  assertPayerNames(names);
  if (new Set(all.map(({ id }) => id)).size !== all.length) throw new TypeError('two payers have one id.');
  const idByName = new Map(all.map(({ id, name }) => [name, id]));
  return {
    names,
    all,
    idOf: (name) => {
      const id = idByName.get(name);
      if (id === undefined) throw new Error('A validated body names a payer that is not configured.');
      return id;
    },
  };
}

/** Whether a placeholder is among them, ours or one as the spec writes it (`<PAYER_PLAN_1>`): production refuses both. */
export function arePlaceholders({ names }: Payers): boolean {
  const placeholders: readonly string[] = DEFAULT_PAYERS;
  return names.some((name) => placeholders.includes(name) || /^<.*>$/s.test(name));
}

function parseNames(text: string): string[] {
  const parsed = z.array(z.string()).safeParse(parseJson('PAYERS', text));
  if (!parsed.success)
    throw new TypeError(`PAYERS: expected a JSON list of four names, ${JSON.stringify(DEFAULT_PAYERS)}.`);
  return parsed.data;
}

function parseFile(path: string): ConfiguredPayer[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new TypeError(`PAYERS_FILE: ${path} cannot be read.`, { cause });
  }
  const parsed = PayersFile.safeParse(parseJson('PAYERS_FILE', text));
  if (!parsed.success) throw new TypeError(`PAYERS_FILE: ${z.prettifyError(parsed.error)}`);
  return parsed.data.payers;
}

function parseJson(variable: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new TypeError(`${variable}: not JSON.`, { cause });
  }
}
