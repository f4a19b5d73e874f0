import { describe, expect, test } from 'vitest';
import { lastRelease } from '../src/baseline.ts';
import { compareContracts } from '../src/compare-contracts.ts';
import { describeBreach, RULES } from '../src/rules.ts';
import { aContract } from './edit.ts';
import { BREAKING, COMPATIBLE } from './seeded-changes.ts';

describe('a change that breaks somebody', () => {
  test.each(BREAKING)('%s: %s at %s', (_, rule, path, edit) => {
    const changed = aContract();
    edit(changed);
    const breaches = compareContracts(lastRelease(), changed);
    expect(breaches.map((breach) => [breach.rule, breach.path])).toContainEqual([rule, path]);
    const found = breaches.find((breach) => breach.rule === rule && breach.path === path);
    expect(found && describeBreach(found)).toBe(
      `${path}: ${rule} (${found?.what ?? ''}); breaks ${RULES[rule][0]}`,
    );
  });

  test('each rule has an example', () => {
    expect([...new Set(BREAKING.map(([, rule]) => rule))].toSorted()).toEqual(Object.keys(RULES).toSorted());
  });
});

test.each(COMPATIBLE)('%s is compatible', (_, edit) => {
  const changed = aContract();
  edit(changed);
  expect(compareContracts(lastRelease(), changed).map(describeBreach)).toEqual([]);
});
