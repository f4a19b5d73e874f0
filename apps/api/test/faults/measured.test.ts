import { expect, test } from 'vitest';
import { measuredCell, writeMeasured } from '../../faults/report/measured.ts';
import { Tally } from '../../faults/report/tally.ts';

test('a row tells its counts, its facts and what broke', () => {
  const tally = new Tally();
  expect(measuredCell(tally)).toBe('holds');
  tally.acknowledgedCount = 12_630;
  tally.recovered(1_240);
  tally.facts.push('50 backends ended');
  expect(measuredCell(tally)).toBe(
    'holds; 12,630 acknowledged, 0 lost, 0 repeated; worst recovery 1.2 s; 50 backends ended',
  );
  tally.holds(false, 'a process\nended');
  expect(measuredCell(tally)).toMatch(/^DOES NOT HOLD; .*; broken: a process ended$/);
});

test('rows that did not run keep their cells', () => {
  const page = `<!-- begin faults, measured by the suite -->

| #   | fault | measured |
| --- | ----- | -------- |
| 1   | kill  | old      |
| 2   | cut   | old      |

<!-- end faults, measured by the suite -->
`;
  expect(writeMeasured(page, new Map([[2, 'a longer one']])))
    .toBe(`<!-- begin faults, measured by the suite -->

| #   | fault | measured     |
| --- | ----- | ------------ |
| 1   | kill  | old          |
| 2   | cut   | a longer one |

<!-- end faults, measured by the suite -->
`);
});
