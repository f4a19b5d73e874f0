import { expect, it } from 'vitest';
import { createLanes } from './create-lanes.ts';

const aDelivery = (hostKey: string, accountId: string) =>
  ({ hostKey, accountId }) as Parameters<ReturnType<typeof createLanes>['enter']>[0];

it('lets ten deliveries of a host in, and one more for each that leaves', () => {
  const lanes = createLanes();
  const one = aDelivery('host', 'account');
  for (let count = 0; count < 10; count += 1) expect(lanes.enter(one)).toBe(true);
  expect(lanes.enter(one)).toBe(false);
  expect(lanes.enter(aDelivery('other', 'account'))).toBe(true);
  expect(lanes.full()).toEqual({ hostKeys: ['host'], accountIds: [] });
  expect(lanes.leave(one)).toBe(true);
  expect(lanes.full()).toEqual({ hostKeys: [], accountIds: [] });
  expect(lanes.enter(one)).toBe(true);
});

it('lets a hundred deliveries of an account in, over however many hosts', () => {
  const lanes = createLanes();
  for (let count = 0; count < 100; count += 1)
    expect(lanes.enter(aDelivery(`host ${count}`, 'account'))).toBe(true);
  expect(lanes.enter(aDelivery('one more', 'account'))).toBe(false);
  expect(lanes.full()).toEqual({ hostKeys: [], accountIds: ['account'] });
  expect(lanes.enter(aDelivery('one more', 'another'))).toBe(true);
});

it('remembers nothing of a host without deliveries', () => {
  const lanes = createLanes();
  const one = aDelivery('host', 'account');
  lanes.enter(one);
  expect(lanes.leave(one)).toBe(false);
  expect(lanes.full()).toEqual({ hostKeys: [], accountIds: [] });
});
