import { expect, test } from 'vitest';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { binaryArray } from './binary-array.ts';

const { sql } = await openTestStores();

// Without it a two-byte letter in a payer's name would shift everything after it in its column.
test('the server reads every element as it was given', async () => {
  const texts = ['plan', '', null, 'é🦷', '{"a",NULL}', 'null', '\\'];
  const bytes = [Buffer.from([0, 255, 92]), Buffer.alloc(0), null, Buffer.alloc(70_000, 7)];
  const flags = [true, false, null];
  const counts = [0, -1, null, 2_147_483_647];
  const [row] = await sql(
    'select $1::text[] as texts, $2::bytea[] as bytes, $3::boolean[] as flags, $4::integer[] as counts',
    [
      binaryArray('text', texts, (text) => text),
      binaryArray('bytea', bytes, (each) => each),
      binaryArray('boolean', flags, (flag) => flag),
      binaryArray('integer', counts, (count) => count),
    ],
  );
  expect(row).toEqual({ texts, bytes, flags, counts });
});

test('a list of nothing is an empty array', async () => {
  const values = [binaryArray('text', [], String), binaryArray('bytea', [], () => Buffer.alloc(0))];
  expect(await sql('select $1::text[] as texts, $2::bytea[] as bytes', values)).toEqual([
    { texts: [], bytes: [] },
  ]);
});
