import fc from 'fast-check';

type Edit = (bytes: Uint8Array) => Uint8Array;
const splice = (bytes: Uint8Array, at: number, drop: number, put: Uint8Array) => {
  const start = at % (bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, start), put, bytes.subarray(start + drop)]);
};
const token = fc.constantFrom(
  '\r\n',
  '\n',
  '\0',
  ' ',
  ':',
  '//',
  '//[',
  'http://',
  'http://[',
  '%',
  '%ff',
  '?',
  '#',
  '..',
  '\\',
  'CONNECT ',
  'HTTP/1.1',
  'HTTP/9.9',
  'Host: b\r\n',
  'Expect: x\r\n',
  'Upgrade: h2c\r\n',
  'Connection: close\r\n',
  'Content-Length: 5\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Content-Encoding: gzip\r\n',
  'Origin: null\r\n',
  '\u0016\u0003\u0001',
  '{',
  '[',
  '"',
  ',',
  'null',
  '1e999',
  '"__proto__":{},',
  '"id":null,',
  '[[[[',
);
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(fc.nat(), fc.nat(3), fc.uint8Array({ maxLength: 4 })).map(
    ([at, drop, put]): Edit =>
      (bytes) =>
        splice(bytes, at, drop, put),
  ),
  fc.tuple(fc.nat(), fc.nat(8), token).map(
    ([at, drop, put]): Edit =>
      (bytes) =>
        splice(bytes, at, drop, Buffer.from(put, 'latin1')),
  ),
  // The request target.
  fc.tuple(fc.nat(4), token).map(
    ([drop, put]): Edit =>
      (bytes) =>
        splice(bytes, 5, drop, Buffer.from(put, 'latin1')),
  ),
  fc.tuple(fc.nat(), fc.nat(40)).map(
    ([at, count]): Edit =>
      (bytes) =>
        splice(bytes, at, 0, bytes.subarray(at % (bytes.length + 1)).subarray(0, count)),
  ),
  fc.nat().map(
    (at): Edit =>
      (bytes) =>
        bytes.subarray(0, at % (bytes.length + 1)),
  ),
);

/** Valid requests with some bytes changed. */
export function editedBytes(valid: readonly Uint8Array[]): fc.Arbitrary<Uint8Array> {
  return fc
    .tuple(fc.constantFrom(...valid), fc.array(edit, { minLength: 1, maxLength: 4 }))
    .map(([bytes, edits]) => edits.reduce<Uint8Array>((made, put) => put(made), bytes));
}
