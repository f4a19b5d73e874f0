import type {
  BatchRowOutcome,
  ReceivedBatch,
  RequestList,
  RequestModel,
  WebhookSecret,
} from '@insurance-verification/schema';
import type { AnyTRPCProcedure } from '@trpc/server';
import { expectTypeOf, test } from 'vitest';
import type { AppRouter, RouterInputs } from '../router.ts';
import type { ROUTES } from '../router/operations.ts';
import type { CallOptions, CreateOptions, RestClient } from './rest-client.ts';

type Router = AppRouter['_def']['record'];

/** The table's entry for each operation, as the router defines it. */
type Defined<Groups = Router> = {
  [Group in keyof Groups & string]: {
    [Name in keyof Groups[Group] & string]: Groups[Group][Name] extends infer Procedure extends
      AnyTRPCProcedure
      ? [
          `${Group}.${Name}`,
          Procedure['_def']['type'] extends 'query' ? 'GET' : 'POST',
          [Procedure['_def']['$types']['input']] extends [void] ? true : undefined,
        ]
      : never;
  }[keyof Groups[Group] & string];
}[keyof Groups & string];

type Table = typeof ROUTES;
type Rows = {
  [Name in keyof Table]: [
    Name,
    Table[Name]['method'],
    Table[Name] extends { readonly takesNoInput: true } ? true : undefined,
  ];
}[keyof Table];

// A route without a type would be a method that callers cannot see; one of the wrong kind, a call that the service
// refuses.
test('the router has the operations of the table, no other, and each of its kind', () => {
  expectTypeOf<Defined>().toEqualTypeOf<Rows>();
  expectTypeOf<Defined<Omit<Router, 'keys'>>>().not.toEqualTypeOf<Rows>();
});

test('an input is left out where nothing of it is required', () => {
  type Requests = RestClient['requests'];
  expectTypeOf<Requests['list']>().toEqualTypeOf<
    (input?: RouterInputs['requests']['list'], options?: CallOptions) => Promise<RequestList>
  >();
  expectTypeOf<Requests['get']>().toEqualTypeOf<
    (input: { request_id: string }, options?: CallOptions) => Promise<RequestModel>
  >();
  expectTypeOf<RestClient['webhookSecret']['get']>().toEqualTypeOf<
    (options?: CallOptions) => Promise<WebhookSecret>
  >();
});

test('only a create takes an Idempotency-Key', () => {
  expectTypeOf<Parameters<RestClient['requests']['create']>[1]>().toEqualTypeOf<CreateOptions | undefined>();
  expectTypeOf<Parameters<RestClient['keys']['create']>[1]>().toEqualTypeOf<CallOptions | undefined>();
});

test('a group with a list has its items one at a time, and no other group has', () => {
  type ListAll = RestClient['requests']['listAll'];
  expectTypeOf<ReturnType<ListAll>>().toEqualTypeOf<AsyncGenerator<RequestModel, void, void>>();
  expectTypeOf<Parameters<ListAll>[0]>().toEqualTypeOf<
    Omit<NonNullable<RouterInputs['requests']['list']>, 'cursor'> | undefined
  >();
  expectTypeOf<keyof RestClient['webhookSecret']>().toEqualTypeOf<'get' | 'rotate'>();
});

test('a batch takes rows of the payers that the caller named, and gives its results one at a time', () => {
  type Own = RestClient<readonly ['Plan A', 'Plan B', 'Plan C', 'Plan D']>;
  const typed = async (client: Own, file: AsyncIterable<Uint8Array>) => {
    const rows: RouterInputs<readonly ['Plan A', 'Plan B', 'Plan C', 'Plan D']>['batches']['create']['rows'] =
      [];
    const received = await client.batches.create(rows, { idempotencyKey: 'march' });
    expectTypeOf(received).toEqualTypeOf<ReceivedBatch>();
    await client.batches.create(file, { idempotencyKey: 'march', format: 'csv' });
    // @ts-expect-error bytes of an unknown format
    await client.batches.create(file, { idempotencyKey: 'march' });
    // @ts-expect-error the key, which has to be known when the batch is sent again
    await client.batches.create(rows, {});
    for await (const { outcome } of client.batches.results({ batch_id: 'bat_1' }))
      expectTypeOf(outcome).toEqualTypeOf<BatchRowOutcome>();
    for await (const line of client.batches.results({ batch_id: 'bat_1' }, { format: 'csv' }))
      expectTypeOf(line).toEqualTypeOf<string>();
    // @ts-expect-error faults are no table
    client.batches.errors({ batch_id: 'bat_1' }, { format: 'csv' });
  };
  expectTypeOf(typed).toBeFunction();
});

test('own payers stay literal', () => {
  type Own = RestClient<readonly ['Plan A', 'Plan B', 'Plan C', 'Plan D']>;
  expectTypeOf<Awaited<ReturnType<Own['requests']['get']>>['input']['payer_info']['name']>().toEqualTypeOf<
    'Plan A' | 'Plan B' | 'Plan C' | 'Plan D'
  >();
});
