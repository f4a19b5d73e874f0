import fc from 'fast-check';
import { arbitraryOf, MARK } from './arbitrary-of.ts';
import type { Document, Schema } from './document.ts';

/** A body as bytes, and whether the document allows it. */
export interface Body {
  readonly bytes: Uint8Array;
  readonly isValid: boolean;
}

const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value) ?? '');

/** Valid bodies, the same with one value replaced, removed or added, and the same with some bytes changed. */
export function arbitraryBody(document: Document, schema: Schema): fc.Arbitrary<Body> {
  const valid = arbitraryOf(document, schema);
  return fc.oneof(
    { weight: 2, arbitrary: valid.map((value) => ({ bytes: encode(value), isValid: true })) },
    {
      weight: 5,
      arbitrary: fc
        .tuple(valid, fc.nat(), change)
        .map(([value, at, put]) => ({ bytes: encode(changed(value, at, put)), isValid: false })),
    },
    {
      weight: 3,
      arbitrary: fc
        .tuple(valid, fc.array(byteEdit, { minLength: 1, maxLength: 4 }))
        .map(([value, edits]) => ({
          bytes: edits.reduce<Uint8Array>((bytes, edit) => edit(bytes), encode(value)),
          isValid: false,
        })),
    },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => ({ bytes, isValid: false })) },
  );
}

type Holder = Record<string | number, unknown>;
type Change = (holder: Holder, key: string | number) => void;

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }).map(marked),
  fc.constantFrom(
    null,
    true,
    0,
    -0,
    1e21,
    '',
    MARK,
    `${MARK}\0`,
    '\ud800',
    '2026-13-01',
    `ftp://${MARK}`,
    [],
    {},
    [MARK],
    { [MARK]: MARK },
  ),
);

const change: fc.Arbitrary<Change> = fc.oneof(
  odd.map(
    (value): Change =>
      (holder, key) =>
        void (holder[key] = value),
  ),
  fc.constant<Change>((holder, key) => delete holder[key]),
  odd.map(
    (value): Change =>
      (holder) =>
        void Object.defineProperty(holder, '__proto__', { value, enumerable: true }),
  ),
  odd.map(
    (value): Change =>
      (holder) =>
        void (holder[`${MARK}-key`] = value),
  ),
);

/** The value changed at one of its places; a value without places is replaced. */
function changed(value: unknown, at: number, put: Change): unknown {
  const root: Holder = { value };
  const places = [...placesIn(root)];
  const [holder, key] = places[at % places.length] ?? [root, 'value'];
  put(holder, key);
  return root['value'];
}

function* placesIn(value: unknown): Generator<[Holder, string | number]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    yield [value as Holder, key];
    yield* placesIn(inner);
  }
}

/** Prefixes every text in a value with the mark. */
function marked(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, inner: unknown) =>
    typeof inner === 'string' ? MARK + inner : inner,
  );
}

type ByteEdit = (bytes: Uint8Array) => Uint8Array;
const splice = (bytes: Uint8Array, at: number, drop: number, put: readonly number[] | Uint8Array) => {
  const start = at % (bytes.length + 1);
  return Uint8Array.of(...bytes.subarray(0, start), ...put, ...bytes.subarray(start + drop));
};

const byteEdit: fc.Arbitrary<ByteEdit> = fc.oneof(
  fc.tuple(fc.nat(), fc.nat(255)).map(
    ([at, byte]): ByteEdit =>
      (bytes) =>
        splice(bytes, at, 1, [byte]),
  ),
  fc.tuple(fc.nat(), fc.nat(255)).map(
    ([at, byte]): ByteEdit =>
      (bytes) =>
        splice(bytes, at, 0, [byte]),
  ),
  fc.tuple(fc.nat(), fc.nat(20)).map(
    ([at, count]): ByteEdit =>
      (bytes) =>
        splice(bytes, at, count, []),
  ),
  fc.tuple(fc.nat(), fc.nat(20)).map(
    ([at, count]): ByteEdit =>
      (bytes) =>
        splice(bytes, at, 0, bytes.subarray(at % (bytes.length + 1)).subarray(0, count)),
  ),
  fc.nat().map(
    (at): ByteEdit =>
      (bytes) =>
        bytes.subarray(0, at % (bytes.length + 1)),
  ),
  fc
    .tuple(
      fc.nat(),
      fc.constantFrom(
        ',',
        ']',
        '}',
        '"',
        '\\',
        '\\u',
        'NaN',
        '-',
        '1e999',
        '[[',
        '{"',
        '\0',
        '\ufeff',
        'null',
      ),
    )
    .map(
      ([at, token]): ByteEdit =>
        (bytes) =>
          splice(bytes, at, 0, new TextEncoder().encode(token)),
    ),
);
