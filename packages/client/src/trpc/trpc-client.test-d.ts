import type { RequestModel } from '@insurance-verification/schema';
import type { TRPCClient, TRPCClientError } from '@trpc/client';
import { expectTypeOf, test } from 'vitest';
import type { AppRouter } from '../router.ts';
import type { TrpcClient, TrpcError } from './trpc-client.ts';

type OwnPayers = readonly ['Plan A', 'Plan B', 'Plan C', 'Plan D'];

test('tRPC’s own client is this one', () => {
  expectTypeOf<TRPCClient<AppRouter>>().toExtend<TrpcClient>();
  expectTypeOf<TRPCClient<AppRouter<OwnPayers>>>().toExtend<TrpcClient<OwnPayers>>();
  expectTypeOf<TRPCClientError<AppRouter>>().toExtend<TrpcError>();
});

// Broke: a list without a filter did not compile.
test('an input without required members may be left out, by ours and by tRPC’s own, and no other', () => {
  const typed = async (client: TrpcClient, theirs: TRPCClient<AppRouter>) => {
    await client.requests.list.query();
    await client.requests.list.query({ limit: 5 });
    await theirs.requests.list.query();
    // @ts-expect-error a required member
    await client.requests.get.query();
    // @ts-expect-error a required member
    await theirs.requests.get.query();
  };
  expectTypeOf(typed).toBeFunction();
});

test('a query has no mutate, a mutation no query, and both their input and output', () => {
  type Get = TrpcClient['requests']['get'];
  type Create = TrpcClient['requests']['create'];
  expectTypeOf<keyof Get>().toEqualTypeOf<'query'>();
  expectTypeOf<keyof Create>().toEqualTypeOf<'mutate'>();
  type Theirs = TRPCClient<AppRouter>['requests'];
  expectTypeOf<Parameters<Get['query']>[0]>().toEqualTypeOf<Parameters<Theirs['get']['query']>[0]>();
  expectTypeOf<Parameters<Create['mutate']>[0]>().toEqualTypeOf<Parameters<Theirs['create']['mutate']>[0]>();
  expectTypeOf<Awaited<ReturnType<Get['query']>>>().toEqualTypeOf<RequestModel>();
});
