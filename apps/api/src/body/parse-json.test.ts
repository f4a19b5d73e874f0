import { expect, test } from 'vitest';
import { takeTurn } from './parse-json.ts';

// Without it large bodies that arrive together would stall every other call until all of them are read.
test('others have a turn between two steps', async () => {
  const seen: string[] = [];
  const others = () => {
    seen.push('others');
    if (seen.length < 20) setImmediate(others);
  };
  setImmediate(others);
  await Promise.all(['one', 'two', 'three'].map((name) => takeTurn(() => void seen.push(name))));
  expect(seen.filter((name) => name !== 'others')).toEqual(['one', 'two', 'three']);
  const [one, two, three] = ['one', 'two', 'three'].map((name) => seen.indexOf(name));
  expect(seen.slice(one, two)).toContain('others');
  expect(seen.slice(two, three)).toContain('others');
});

test('a step that fails stops no other', async () => {
  const failed = takeTurn(() => {
    throw new Error('no');
  });
  const next = takeTurn(() => 'done');
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('done');
});
