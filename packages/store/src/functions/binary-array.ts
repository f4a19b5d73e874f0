/** Type OIDs from PostgreSQL's catalog, the same on every server. */
const TYPES = { boolean: 16, bytea: 17, bigint: 20, integer: 23, text: 25 } as const;

interface Elements {
  readonly bigint: bigint;
  readonly boolean: boolean;
  readonly bytea: Uint8Array;
  readonly integer: number;
  readonly text: string;
}

type Element = Elements[keyof Elements] | null;

const HEADER_BYTES = 20; // dimensions, null flag, element type, length, first index
const LENGTH_BYTES = 4;

/** The length of an element that is null. */
const NULL_LENGTH = -1;

/**
 * Encodes one element per item as an array in PostgreSQL's binary format. node-postgres would turn a plain list into
 * text, with every element quoted and bytes in hexadecimal, which the server has to parse again.
 */
export function binaryArray<Type extends keyof Elements, Item>(
  type: Type,
  items: readonly Item[],
  elementOf: (item: Item) => Elements[Type] | null,
): Buffer {
  const elements: readonly Element[] = items.map(elementOf);
  const byteCounts = elements.map(byteCountOf);
  let byteCount = HEADER_BYTES;
  for (const count of byteCounts) byteCount += LENGTH_BYTES + count;
  const array = Buffer.allocUnsafe(byteCount);
  let at = array.writeInt32BE(1, 0);
  at = array.writeInt32BE(Number(elements.includes(null)), at);
  at = array.writeInt32BE(TYPES[type], at);
  at = array.writeInt32BE(elements.length, at);
  at = array.writeInt32BE(1, at);
  for (const [index, element] of elements.entries()) {
    at = array.writeInt32BE(element === null ? NULL_LENGTH : (byteCounts[index] ?? 0), at);
    at = writeElement(array, element, at);
  }
  return array;
}

/** @returns the index after it. */
function writeElement(array: Buffer, element: Element, at: number): number {
  if (element === null) return at;
  if (typeof element === 'string') return at + array.write(element, at);
  if (typeof element === 'boolean') return array.writeUInt8(Number(element), at);
  if (typeof element === 'number') return array.writeInt32BE(element, at);
  if (typeof element === 'bigint') return array.writeBigInt64BE(element, at);
  array.set(element, at);
  return at + element.length;
}

function byteCountOf(element: Element): number {
  if (element === null) return 0;
  if (typeof element === 'string') return Buffer.byteLength(element);
  if (typeof element === 'boolean') return 1;
  if (typeof element === 'bigint') return 8;
  return typeof element === 'number' ? 4 : element.length;
}
