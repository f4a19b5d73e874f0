import { describe, expect, test } from 'vitest';
import {
  type DeliveryFact,
  errorReasonOf,
  type Outcome,
  type RequestState,
  stateOf,
} from './request-state.ts';

// Breaks when the state shown to a provider contradicts the two stored facts.
const table: [Outcome, DeliveryFact, RequestState, reason: string | null][] = [
  ['none', 'none', 'pending', null],
  ['none', 'pending', 'pending', null],
  ['none', 'delivered', 'pending', null],
  ['none', 'exhausted', 'error_sending_webhook', 'webhook_gone'],
  ['complete', 'none', 'complete', null],
  ['complete', 'pending', 'complete', null],
  ['complete', 'delivered', 'complete', null],
  ['complete', 'exhausted', 'error_sending_webhook', 'webhook_gone'],
  ['error_verifying', 'none', 'error_verifying', 'member_not_found'],
  ['error_verifying', 'pending', 'error_verifying', 'member_not_found'],
  ['error_verifying', 'delivered', 'error_verifying', 'member_not_found'],
  ['error_verifying', 'exhausted', 'error_sending_webhook', 'webhook_gone'],
];

describe('the state of a request', () => {
  test.each(table)(
    'outcome %s and delivery %s show %s, because of %s',
    (outcome, delivery, state, reason) => {
      expect(stateOf(outcome, delivery)).toBe(state);
      const facts = { outcome, delivery, outcomeReason: 'member_not_found', deliveryReason: 'webhook_gone' };
      expect(errorReasonOf(facts)).toBe(reason);
    },
  );

  test('covers every pair once', () => {
    expect(new Set(table.map(([outcome, delivery]) => `${outcome} ${delivery}`)).size).toBe(3 * 4);
  });

  test('shows the outcome and its reason again once a redelivery succeeds', () => {
    const facts = {
      outcome: 'error_verifying',
      outcomeReason: 'payer_refusal',
      deliveryReason: 'webhook_exhausted',
    } as const;
    expect(errorReasonOf({ ...facts, delivery: 'exhausted' })).toBe('webhook_exhausted');
    expect(errorReasonOf({ ...facts, delivery: 'delivered' })).toBe('payer_refusal');
  });

  test('shows no reason where none was given', () => {
    expect(
      errorReasonOf({
        outcome: 'error_verifying',
        delivery: 'none',
        outcomeReason: null,
        deliveryReason: null,
      }),
    ).toBe(null);
  });
});
