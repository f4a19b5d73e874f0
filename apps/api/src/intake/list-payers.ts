import { PayerList } from '@insurance-verification/schema';
import { query } from '../procedure/trpc.ts';

/** The payers that requests may name. */
export const listPayers = () =>
  query({
    meta: {
      operation: 'payers.list',
      openapi: {
        summary: 'List the payers',
        description: 'Lists the four payers that requests may name, with their ids.',
        tags: ['Intake'],
      },
      limit: 'reads',
      answers: { payers: { items: [{ payer_id: 'northwind', name: 'Northwind Health' }] } },
    },
    output: PayerList,
    handler: async ({ ctx: { app } }) => ({
      items: app.config.payers.all.map(({ id, name }) => ({ payer_id: id, name })),
    }),
  });
