import type { Schemas } from '@insurance-verification/schema';
import { findTestAccount } from '@insurance-verification/store';
import { exampleRequestModel } from '../examples/request.ts';
import { nothingHere } from '../procedure/problem/problem.ts';
import { refuse } from '../procedure/problem/refuse.ts';
import { mutation } from '../procedure/trpc.ts';

/** Where the demo's webhook goes: this process, which checks its signature. */
export const DEMO_RECEIVER_PATH = '/demo/receiver';

/** Makes a request of the test account that the sandbox answers, and whose webhook this process receives. */
export const playDemo = (schemas: Schemas) =>
  mutation({
    meta: {
      operation: 'demo.play',
      openapi: {
        summary: 'Play a demo request',
        description:
          'Makes a request in the oldest test account: of a member that the sandbox answers for, with a callback address of the service’s own, which checks the signature of what comes. Nothing of it reaches a payer or a live account. 404 anywhere but on a machine of one’s own, and where no test account is.',
        tags: ['Intake'],
      },
      changes: ['request', 'work'],
      limit: 'intake',
      problems: ['not_found'],
      answers: { pending: exampleRequestModel(schemas) },
    },
    output: schemas.RequestModel,
    handler: async ({ ctx: { app, call, caller } }) => {
      const address = app.ownAddress();
      if (!app.config.local || address === undefined) throw nothingHere();
      const found = await findTestAccount(app.store, { caller });
      if (found.kind !== 'found') return refuse(found);
      const [payer] = app.config.payers.names;
      const inserted = await app.insertRequest({
        caller: { ...caller, accountId: found.accountId, mode: 'test' },
        payerId: app.config.payers.idOf(payer),
        idempotencyKey: null,
        input: {
          patient_info: { subscriber_id: 'TEST-ACTIVE', dob: '1984-05-17', name: 'Jane Doe' },
          payer_info: { name: payer },
          provider_info: { npi: '1234567893', name: 'Main Street Dental' },
          cpt_code_coverage: ['D0120', 'D1110'],
          callback_url: `${address}${DEMO_RECEIVER_PATH}`,
        },
      });
      if (!('request' in inserted)) throw new Error('A demo has no idempotency key.');
      app.wakeVerification();
      call.concerns(inserted.request.request_id ?? '');
      return inserted.request;
    },
  });
