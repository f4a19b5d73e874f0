import { expect, test } from 'vitest';
import * as client from '../src/index.ts';

test('the exported values are those of the golden file: a name less breaks those who use it', async () => {
  const names = Object.keys(client).toSorted().join('\n');
  await expect(`${names}\n`).toMatchFileSnapshot('golden/exported-names.txt');
});
