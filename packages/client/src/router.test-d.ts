import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { expectTypeOf, test } from 'vitest';
import type { AppRouter, RouterInputs, RouterOutputs } from './router.ts';
import type { TrpcClient } from './trpc/trpc-client.ts';

test('what tRPC infers from the router is what is written out without it', () => {
  expectTypeOf<inferRouterInputs<AppRouter>>().toEqualTypeOf<RouterInputs>();
  // It takes `undefined` out of optional members. Ours are as both clients answer them.
  expectTypeOf<inferRouterOutputs<AppRouter>>().toExtend<RouterOutputs>();
  type Answered = Awaited<ReturnType<TrpcClient['requests']['get']['query']>>;
  expectTypeOf<RouterOutputs['requests']['get']>().toEqualTypeOf<Answered>();
});
