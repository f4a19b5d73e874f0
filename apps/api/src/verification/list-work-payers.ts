import type { Schemas } from '@insurance-verification/schema';
import { query } from '../trpc.ts';
import { toWorkPayer } from './to-work-payer.ts';

/** How to reach each payer, and what verifiers should know about it, before anything is claimed. */
export const listWorkPayers = ({ WorkPayerList }: Schemas) =>
  query({
    meta: {
      openapi: {
        method: 'GET',
        path: '/work/payers',
        summary: 'List the payers as verifiers need them',
        tags: ['Work'],
      },
      scopes: ['verify', 'operate'],
      limit: 'reads',
    },
    output: WorkPayerList,
    handler: async ({ ctx: { app } }) => ({ items: app.config.payers.all.map(toWorkPayer) }),
  });
