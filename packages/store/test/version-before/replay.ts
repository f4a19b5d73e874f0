import pg from 'pg';
import type { Recording } from './recording.ts';
import { type Statement, statementOf, type Written } from './statement.ts';

/** A process of a version before: it says what was recorded, with the ids and tokens that this database gave it. */
export interface Replay {
  /**
   * @returns how many it has said.
   * @throws {Error} at the first statement that fails, or is answered otherwise than that version expects.
   */
  readonly say: (statements: readonly Statement[]) => Promise<number>;
  /** From now on it says the one id instead of the other. */
  readonly rename: (before: string, now: string) => void;
  readonly close: () => Promise<void>;
}

export async function startReplay(
  connectionString: string,
  { recordedAt }: Pick<Recording, 'recordedAt'>,
): Promise<Replay> {
  const clients = { db: new pg.Client({ connectionString }), keyDb: new pg.Client({ connectionString }) };
  await Promise.all([clients.db.connect(), clients.keyDb.connect()]);
  /** What the database gave then, and what it gives now. */
  const given = new Map<string, string>();
  const laterMs = Date.now() - Date.parse(recordedAt);

  async function sayOne(recorded: Statement): Promise<void> {
    const { on, text, values } = recorded;
    const told = values.map((value) => valueOf(value, given, laterMs));
    const result = await clients[on].query<Record<string, unknown>>(text, told).catch((err: Error) => {
      throw new Error(`A process of the version before fails: ${err.message}. Its statement: ${text}`);
    });
    const answer = statementOf(on, text, values, result);
    const got = shapeOf(answer);
    const missing = shapeOf(recorded).filter((column) => !got.includes(column));
    if (missing.length > 0)
      throw new Error(
        `A process of the version before expects ${missing.join(', ')} and gets ${got.join(', ')}. Its statement: ${text}`,
      );
    recorded.rows.forEach((row, at) =>
      row.forEach((before, column) => {
        const now = answer.rows[at]?.[column];
        if (typeof before === 'string' && typeof now === 'string' && isToken(before)) given.set(before, now);
      }),
    );
  }

  return {
    say: async (statements) => {
      for (const statement of statements) await sayOne(statement);
      return statements.length;
    },
    rename: (before, now) => void given.set(before, now),
    close: async () => void (await Promise.all([clients.db.end(), clients.keyDb.end()])),
  };
}

/** The first row's columns, and which are null. How many rows follow may depend on the hour, and columns may be added. */
function shapeOf({ columns, rows: [first] }: Statement): readonly string[] {
  return first === undefined
    ? ['no row']
    : columns.map((name, at) => (first[at] === null ? `${name} null` : name));
}

/** Drawn by the database: the tokens of leases. Everything else that is said again, processes draw themselves. */
const isToken = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);

const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

type Said = Buffer | string | null | readonly Said[];

function valueOf(value: Written, given: ReadonlyMap<string, string>, laterMs: number): Said {
  if (value === null) return null;
  if (isList(value)) return value.map((one) => valueOf(one, given, laterMs));
  const translate = (text: string) =>
    [...given].reduce((translated, [before, now]) => translated.replaceAll(before, now), text);
  if (typeof value !== 'string') {
    const bytes = Buffer.from(value.base64, 'base64').toString('latin1');
    return Buffer.from(translate(bytes), 'latin1'); // a token takes as many bytes as another
  }
  const shift = (instant: string) => new Date(Date.parse(instant) + laterMs).toISOString();
  return translate(value).replaceAll(INSTANT, shift);
}

const isList = (value: Written): value is readonly Written[] => Array.isArray(value);
