import { expect, test } from 'vitest';
import { shownProps, shownText } from './shown-text.ts';

const HIDDEN = /[^\P{C}\n\t]|[\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

// Breaks if a text reaches a page with a character that a person does not see and a program reads.
test('no text keeps a hidden character, and lines and tabs stay', () => {
  expect(shownText('one\r\ntwo\tthree\u202E')).toBe(String.raw`one${'\n'}two${'\t'}three\u202e`);
  // Of the planes, the first and that of the tags.
  const every = [0, 0xe_00_00]
    .flatMap((first) => Array.from({ length: 0x1_00_00 }, (_, code) => String.fromCodePoint(first + code)))
    .filter((_, index) => index < 0x1_10_00)
    .join(' ');
  const shown = shownText(every);
  expect(HIDDEN.exec(shown)).toBeNull();
  expect(shownProps('p', { children: every })['children']).toBe(shown);
  expect(shownProps(Symbol.for('react.fragment'), { children: every })['children']).toBe(shown);
  expect(shownProps('p', { children: [1, [every]] })['children']).toEqual([1, [shown]]);
});

test('what is read aloud or hovered is escaped; what is typed, chosen, linked or passed on stays', () => {
  const text = 'a\u200Bb';
  const given = { title: text, 'aria-label': text, value: text, href: text };
  const shown = String.raw`a\u200bb`;
  expect(shownProps('a', given)).toEqual({ ...given, title: shown, 'aria-label': shown });
  const Part = () => null;
  expect(shownProps(Part, { children: text, title: text })).toEqual({ children: text, title: text });
});

test('children that hide nothing are not copied', () => {
  const children = ['Zoë', ['李明', 2]];
  expect(shownProps('p', { children })['children']).toBe(children);
});
