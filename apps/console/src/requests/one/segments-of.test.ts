import { expect, test } from 'vitest';
import { segmentsOf } from './segments-of.ts';

const ISA = `ISA*${'x'.repeat(101)}`;

test('an interchange is shown one segment a line, by its own terminator', () => {
  expect(segmentsOf(`${ISA}~GS*HS~\nST*270~`)).toEqual([`${ISA}~`, 'GS*HS~', 'ST*270~']);
  expect(segmentsOf(`${ISA}'NM1*IL*1*O~HARA'`)).toEqual([`${ISA}'`, "NM1*IL*1*O~HARA'"]);
});

// A payer's gateway may answer a page of HTML.
test('what is no interchange keeps its own lines', () => {
  expect(segmentsOf('<html>\n~busy~')).toEqual(['<html>', '~busy~']);
  expect(segmentsOf('ISA*short')).toEqual(['ISA*short']);
  expect(segmentsOf(`${ISA}\nGS*HS\n`)).toEqual([ISA, 'GS*HS', '']);
});
