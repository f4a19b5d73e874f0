import type { Schemas } from '@insurance-verification/schema';
import { exampleWorkItem } from '../../examples/work.ts';
import { query } from '../../procedure/trpc.ts';
import { toWorkPayer } from './to-work-payer.ts';

/** Shows how to reach each payer, and what verifiers should know about it, before anything is claimed. */
export const listWorkPayers = (schemas: Schemas) =>
  query({
    meta: {
      operation: 'work.payers',
      openapi: {
        summary: 'List the payers as verifiers need them',
        description:
          'Tells for each configured payer how it is reached, by phone and portal, and what verifiers should know about it. Nothing is leased.',
        tags: ['Work'],
      },
      limit: 'reads',
      answers: { one_payer: { items: [exampleWorkItem(schemas).payer] } },
    },
    output: schemas.WorkPayerList,
    handler: async ({ ctx: { app } }) => ({ items: app.config.payers.all.map(toWorkPayer) }),
  });
