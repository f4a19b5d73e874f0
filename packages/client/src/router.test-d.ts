import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { expectTypeOf, test } from 'vitest';
import type { AppRouter, RouterInputs, RouterOutputs } from './router.ts';
import type { Given } from './router/procedure.ts';
import type { TrpcClient } from './trpc/trpc-client.ts';

test('what tRPC infers from the router is what is written out without it', () => {
  type GivenInputs = {
    [Group in keyof RouterInputs]: {
      [Name in keyof RouterInputs[Group]]: Given<RouterInputs[Group][Name]>;
    };
  };
  expectTypeOf<inferRouterInputs<AppRouter>>().toEqualTypeOf<GivenInputs>();
  // It takes `undefined` out of optional members. Ours are as both clients answer them.
  expectTypeOf<inferRouterOutputs<AppRouter>>().toExtend<RouterOutputs>();
  type Answered = Awaited<ReturnType<TrpcClient['requests']['get']['query']>>;
  expectTypeOf<RouterOutputs['requests']['get']>().toEqualTypeOf<Answered>();
});
