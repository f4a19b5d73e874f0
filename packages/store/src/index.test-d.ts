import type {
  DeliveryFact,
  HeldReason,
  Outcome,
  RequestModel,
  RequestState,
  Scope,
} from '@insurance-verification/schema';
import { expectTypeOf } from 'vitest';
import type { FinishedAttempt } from './delivery/finish-attempts.ts';
import type { Vault } from './encryption/vault.ts';
import {
  type AcceptedOutput,
  type acceptOutput,
  type AfterAttempt,
  type applyHeldOutput,
  type Caller,
  type ClaimedDelivery,
  type closeRequest,
  type createApiKey,
  type findApiKey,
  type getHeldOutput,
  type getRequest,
  type getResult,
  type InsertedRequest,
  type Lease,
  type listDeliveries,
  type listRequests,
  type LiveKey,
  type Page,
  type redeliver,
  type Store,
} from './index.ts';
import type * as operations from './index.ts';
import type { Tables } from './tables/tables.ts';

type Answer<Operation extends (...args: never[]) => unknown> = Awaited<ReturnType<Operation>>;

// A caller cannot overlook the possible outcomes: they are part of an operation's type.
expectTypeOf<Answer<typeof getRequest>['kind']>().toEqualTypeOf<'found' | 'not_found' | 'erased'>();
expectTypeOf<Answer<typeof getResult>['kind']>().toEqualTypeOf<
  'found' | 'not_ready' | 'not_found' | 'erased'
>();
expectTypeOf<Answer<typeof closeRequest>['kind']>().toEqualTypeOf<
  'closed' | 'finished' | 'not_found' | 'erased'
>();
expectTypeOf<Answer<typeof redeliver>['kind']>().toEqualTypeOf<
  'queued' | 'under_way' | 'no_result' | 'not_found' | 'erased'
>();
expectTypeOf<Answer<typeof listRequests>>().toExtend<Page<RequestModel>>();
expectTypeOf<Answer<typeof findApiKey>['kind']>().toEqualTypeOf<'found' | 'unknown'>();
expectTypeOf<Answer<typeof listDeliveries>['kind']>().toEqualTypeOf<'found' | 'not_found'>();
expectTypeOf<Answer<typeof getHeldOutput>['kind']>().toEqualTypeOf<'found' | 'not_found'>();
expectTypeOf<Answer<typeof createApiKey>['kind']>().toEqualTypeOf<'created' | 'faulty'>();
expectTypeOf<Extract<Answer<typeof createApiKey>, { kind: 'faulty' }>['faults'][number]>().toEqualTypeOf<
  'account_not_found' | 'scope_needs_platform' | 'expired_at_birth' | 'expires_after_year_9999'
>();
expectTypeOf<Answer<typeof applyHeldOutput>['kind']>().toEqualTypeOf<
  'applied' | 'not_found' | 'settled' | 'no_target' | 'unknown_request' | 'not_a_result' | 'erased'
>();

// No operation signals a refusal with null, a text or a boolean. An unknown key is not a refusal: its sender is
// anonymous.
type Operations = typeof operations;
type Bare<Of> = Of extends (store: Store, ...input: never[]) => Promise<infer Said>
  ? Extract<Said, null | undefined | string | boolean>
  : never;
type Wordless = { [Name in keyof Operations]: [Bare<Operations[Name]>] extends [never] ? never : Name };
expectTypeOf<Wordless[keyof Operations]>().toEqualTypeOf<never>();

// A disposition carries exactly what its receipt needs.
expectTypeOf<AcceptedOutput['kind']>().toEqualTypeOf<
  'applied' | 'unchanged' | 'progress' | 'held' | 'at_capacity' | 'erased'
>();
expectTypeOf<Extract<AcceptedOutput, { kind: 'held' }>['reason']>().toEqualTypeOf<HeldReason>();
expectTypeOf<Extract<AcceptedOutput, { kind: 'applied' }>['version']>().toEqualTypeOf<number>();
expectTypeOf<Extract<AcceptedOutput, { kind: 'progress' }>>().not.toHaveProperty('version');
expectTypeOf<Extract<InsertedRequest, { kind: 'idempotency_key_reused' }>>().not.toHaveProperty('request');

// Only a caller without a key is null: an operation on one account's data requires a caller.
expectTypeOf<Parameters<typeof acceptOutput>[1]['caller']>().toEqualTypeOf<Caller | null>();
expectTypeOf<Parameters<typeof getRequest>[1]['caller']>().toEqualTypeOf<Caller>();
expectTypeOf<LiveKey>().toExtend<Caller>();
expectTypeOf<LiveKey['scopes']>().toEqualTypeOf<readonly Scope[]>();

// An attempt cannot end exhausted without a reason, nor retry without a delay.
expectTypeOf<{ kind: 'exhausted' }>().not.toExtend<AfterAttempt>();
expectTypeOf<{ kind: 'retry' }>().not.toExtend<AfterAttempt>();
expectTypeOf<{ kind: 'delivered' }>().toExtend<AfterAttempt>();
expectTypeOf<FinishedAttempt['statusCode']>().toEqualTypeOf<number | null>();

// A claim returns leases, and the type forces a check of the message before it is sent.
expectTypeOf<ClaimedDelivery>().toExtend<Lease>();
expectTypeOf<ClaimedDelivery>().toExtend<FinishedAttempt['lease']>();
expectTypeOf<ClaimedDelivery['message']>().toBeNullable();

// The columns match the types that schema's pure functions read.
expectTypeOf<Outcome>().toEqualTypeOf<'none' | 'complete' | 'error_verifying'>();
expectTypeOf<DeliveryFact>().toEqualTypeOf<'none' | 'pending' | 'delivered' | 'exhausted'>();
expectTypeOf<Parameters<typeof listRequests>[1]['state']>().toEqualTypeOf<RequestState | undefined>();

// A value is encrypted for an account or for the system, never without an owner.
expectTypeOf<Parameters<Vault['encrypt']>[0]>().toEqualTypeOf<{ readonly accountId: string } | 'system'>();
expectTypeOf<Store['db']>().toHaveProperty('transaction');
expectTypeOf<Tables['delivery']['destination']>().toEqualTypeOf<Buffer>();
