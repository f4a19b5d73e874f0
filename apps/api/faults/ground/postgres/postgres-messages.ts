/** One message of PostgreSQL's protocol 3, in either direction. */
export interface PostgresMessage {
  readonly bytes: Buffer;
  /** The SQL that it executes; undefined when none. Records named prepared statements. */
  readonly statement: (prepared: Map<string, string>) => string | undefined;
  /** `I`, `T` or `E` of a ReadyForQuery; undefined for any other message. */
  readonly readyStatus: () => string | undefined;
  readonly isRow: () => boolean;
}

/** Splits a stream into messages; an incomplete one waits for the next chunk. */
export function splitMessages({ hasStartup }: { hasStartup: boolean }): (chunk: Buffer) => PostgresMessage[] {
  let rest: Buffer = Buffer.alloc(0);
  let awaitsStartup = hasStartup;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const messages: PostgresMessage[] = [];
    for (;;) {
      // A client's first message has a length but no type.
      const lengthAt = awaitsStartup ? 0 : 1;
      if (rest.length < lengthAt + 4) return messages;
      const end = lengthAt + rest.readInt32BE(lengthAt);
      if (rest.length < end) return messages;
      messages.push(messageOf(rest.subarray(0, end), awaitsStartup ? '' : String.fromCharCode(rest[0] ?? 0)));
      awaitsStartup = false;
      rest = rest.subarray(end);
    }
  };
}

function messageOf(bytes: Buffer, type: string): PostgresMessage {
  return {
    bytes,
    statement: (prepared) => {
      if (type === 'Q') return textAt(bytes, 5).text;
      if (type === 'P') {
        const name = textAt(bytes, 5);
        prepared.set(name.text, textAt(bytes, name.end).text);
      }
      if (type !== 'B') return undefined;
      const portal = textAt(bytes, 5);
      return prepared.get(textAt(bytes, portal.end).text);
    },
    isRow: () => type === 'D',
    readyStatus: () => (type === 'Z' ? String.fromCharCode(bytes[5] ?? 0) : undefined),
  };
}

function textAt(bytes: Buffer, at: number): { text: string; end: number } {
  const end = bytes.indexOf(0, at);
  return { text: bytes.toString('utf8', at, end), end: end + 1 };
}
