import pg from 'pg';

// What node-postgres has and its types do not tell.
declare module 'pg' {
  interface Connection {
    /** The texts of the statements that the server has parsed, by name. */
    readonly parsedStatements: Readonly<Record<string, string>>;
  }
}
const { prepareValue } = (
  pg as unknown as { utils: { prepareValue: (value: unknown) => Buffer | string | null } }
).utils;

/** A `select` as one connection knows it. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
  /** Null until its first answer. */
  columns: readonly Column[] | null;
}

interface Column {
  readonly name: string;
  readonly parse: (text: string) => unknown;
}

interface FieldDescription {
  readonly name: string;
  readonly dataTypeID: Parameters<typeof pg.types.getTypeParser>[0];
}

type Row = Record<string, unknown>;

export type Answered = (
  err: unknown,
  result?: Pick<pg.QueryResult<Row>, 'command' | 'rowCount' | 'rows'>,
) => void;

/**
 * A run of a prepared `select`. The server describes its columns once a connection; for node-postgres's own queries it
 * describes them in each answer, which both sides then work through: 5 % of what node takes for a commit of intake.
 */
export class PreparedQuery implements pg.Submittable {
  /** By it the client keeps what the server has parsed. */
  readonly name: string;
  readonly text: string;
  readonly #statement: PreparedStatement;
  readonly #values: readonly unknown[];
  readonly #answered: Answered;
  readonly #rows: Row[] = [];
  #fault: unknown = null;

  constructor(statement: PreparedStatement, values: readonly unknown[], answered: Answered) {
    this.name = statement.name;
    this.text = statement.text;
    this.#statement = statement;
    this.#values = values;
    this.#answered = answered;
  }

  /** @returns what is wrong with a value, before anything is sent: the client then reports it. */
  submit(connection: pg.Connection): unknown {
    const { name, text } = this;
    let values: (Buffer | string | null)[];
    try {
      values = this.#values.map((value) => prepareValue(value));
    } catch (err) {
      return err;
    }
    connection.stream.cork(); // one write to the socket
    if (connection.parsedStatements[name] === undefined) connection.parse({ name, text, types: [] }, true);
    connection.bind({ statement: name, values }, true);
    if (!this.#statement.columns) connection.describe({ type: 'P' }, true);
    connection.execute({}, true);
    connection.sync();
    connection.stream.uncork();
    return null;
  }

  handleRowDescription({ fields }: { fields: readonly FieldDescription[] }): void {
    this.#statement.columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: pg.types.getTypeParser(dataTypeID),
    }));
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const row: Row = {};
    try {
      for (const [index, text] of fields.entries()) {
        const column = this.#statement.columns?.[index];
        if (column) row[column.name] = text === null ? null : column.parse(text);
      }
    } catch (err) {
      this.#fault ??= err;
    }
    this.#rows.push(row);
  }

  handleCommandComplete(): void {
    // That all rows came is told once the transaction has ended as well.
  }

  handleReadyForQuery(): void {
    if (this.#fault) this.#answered(this.#fault);
    else this.#answered(null, { command: 'SELECT', rowCount: this.#rows.length, rows: this.#rows });
  }

  handleError(err: unknown): void {
    this.#answered(err);
  }
}
