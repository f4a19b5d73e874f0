import { expect, test } from 'vitest';
import {
  CloseRequest,
  CreateAccount,
  CreateApiKey,
  ErrorReason,
  HeldOutputDetail,
  ListRequests,
  OutputReceipt,
} from '../src/index.ts';

test('fills in the page size, the kind and the mode', () => {
  expect(ListRequests.parse({})).toEqual({ limit: 20 });
  expect(CreateAccount.parse({ name: 'Sample Clinic' })).toEqual({
    name: 'Sample Clinic',
    kind: 'provider',
    mode: 'live',
  });
});

test('takes only numbers as numbers', () => {
  expect(ListRequests.safeParse({ limit: '5' }).success).toBe(false);
  expect(ListRequests.parse({ limit: 100, state: 'pending', cursor: 'c' })).toEqual({
    limit: 100,
    state: 'pending',
    cursor: 'c',
  });
});

// Broke: a request closed as webhook_gone was error_verifying for a reason that says it was verified.
test('closes a request for its own two reasons and for every slug of a verification, but for no other text', () => {
  const deliveries = ['webhook_exhausted', 'webhook_gone', 'webhook_blocked_address'];
  const verifications = ErrorReason.options.filter((slug) => !deliveries.includes(slug));
  expect(verifications).toHaveLength(ErrorReason.options.length - deliveries.length);
  for (const reason of ['withdrawn', 'expired', ...verifications])
    expect(CloseRequest.parse({ reason })).toEqual({ reason });
  for (const reason of ['changed my mind', ...deliveries])
    expect(CloseRequest.safeParse({ reason }).success).toBe(false);
});

test('makes no key without a scope, with an unknown one or with a malformed expiry', () => {
  const body = { account_id: 'acc_1', scopes: ['verify'] };
  expect(CreateApiKey.parse({ ...body, name: null, expires_at: null })).toEqual({
    ...body,
    name: null,
    expires_at: null,
  });
  expect(CreateApiKey.safeParse({ ...body, scopes: [] }).success).toBe(false);
  expect(CreateApiKey.safeParse({ ...body, scopes: ['root'] }).success).toBe(false);
  expect(CreateApiKey.safeParse({ ...body, expires_at: 'tomorrow' }).success).toBe(false);
});

test('shows a caller without a verifier key nothing but that the output was received', () => {
  expect(OutputReceipt.parse({ status: 'received' })).toEqual({ status: 'received' });
  expect(OutputReceipt.parse({ status: 'held', reason: 'superseding', held_id: 'h' })).toMatchObject({
    held_id: 'h',
  });
});

test('lists the fields of a held output before those of its detail', () => {
  expect(Object.keys(HeldOutputDetail.shape)).toEqual([
    'held_id',
    'reason',
    'received_at',
    'request_id',
    'status',
    'note',
    'correction',
    'output',
    'benefits',
  ]);
});
