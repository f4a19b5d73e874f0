import { expect, test } from 'vitest';
import { problemAt } from './problem-at.ts';

test('a problem names its page at the service, and shows no password of its address', () => {
  expect(problemAt('http://me:secret@service.example:3000/?a=b', 'not_found')).toMatchObject({
    code: 'not_found',
    type: 'http://service.example:3000/docs/problems/not_found',
  });
});
