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
