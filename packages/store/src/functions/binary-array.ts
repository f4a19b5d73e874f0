/** Type OIDs from PostgreSQL's catalog, the same on every server. */
const TYPES = { boolean: 16, bytea: 17, text: 25 } as const;

interface Elements {
  readonly boolean: boolean;
  readonly bytea: Buffer;
  readonly text: string;
}

const HEADER_BYTES = 20; // dimensions, null flag, element type, length, first index
const LENGTH_BYTES = 4;

/**
 * Encodes one element per item as an array in PostgreSQL's binary format. node-postgres would turn a plain list into
 * text, with every element quoted and bytes in hexadecimal, which the server has to parse again.
 */
export function binaryArray<Type extends keyof Elements, Item>(
  type: Type,
  items: readonly Item[],
  elementOf: (item: Item) => Elements[Type],
): Buffer {
  const elements = items.map(elementOf);
  let byteCount = HEADER_BYTES;
  for (const element of elements) byteCount += LENGTH_BYTES + byteCountOf(element);
  const array = Buffer.allocUnsafe(byteCount);
  let at = array.writeInt32BE(1, 0);
  at = array.writeInt32BE(0, at);
  at = array.writeInt32BE(TYPES[type], at);
  at = array.writeInt32BE(elements.length, at);
  at = array.writeInt32BE(1, at);
  for (const element of elements) {
    at = array.writeInt32BE(byteCountOf(element), at);
    if (typeof element === 'string') at += array.write(element, at);
    else if (typeof element === 'boolean') at = array.writeUInt8(Number(element), at);
    else at += element.copy(array, at);
  }
  return array;
}

function byteCountOf(element: string | Buffer | boolean): number {
  if (typeof element === 'boolean') return 1;
  return typeof element === 'string' ? Buffer.byteLength(element) : element.length;
}
