import type { ResponseModel } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anEntry } from '../../test/ground/an-entry.ts';
import { deliveryQueue } from '../../test/ground/delivery-queue.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { aFinishedRequest, anAccount, claimFor } from '../../test/ground/stages.ts';
import { messageBody } from './message-body.ts';

const stores = await openTestStores();
const { store, sql } = stores;

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(',"insuranceData":', '{"errorReason":null,"insuranceData":[]}', '\\', '"', '\ud800'),
);

// Without it a receiver would get something else than the model it was promised, whatever a verifier wrote.
test('the body is the JSON of the response, whatever the texts contain', () => {
  fc.assert(
    fc.property(fc.option(anyText), anyText, (errorReason, notes) => {
      const input = aRequest({ patient_info: { ...aRequest().patient_info, name: notes } });
      const insuranceData = [anEntry({ notes })];
      const response: ResponseModel = {
        request: {
          request_id: 'req_1',
          input,
          received_timestamp: '2026-11-22T08:00:00.000Z',
          state: 'complete',
          error_reason: errorReason,
        },
        insurance_data: insuranceData,
      };
      const body = messageBody({
        requestId: 'req_1',
        receivedTimestamp: '2026-11-22T08:00:00.000Z',
        outcome: 'complete',
        inputText: Buffer.from(JSON.stringify(input)),
        findingText: Buffer.from(JSON.stringify({ errorReason, insuranceData })),
      });
      expect(body.toString('utf8')).toBe(JSON.stringify(response));
    }),
  );
});

// Without it a delivery that was under way during an upgrade would never arrive.
test('a row of before, which holds its body, is sent as it was written', async () => {
  const caller = await anAccount(store);
  const request = await aFinishedRequest(store, caller);
  const { deliveryId, message } = await claimFor(store, request.request_id);
  const body = Buffer.from(`${message?.body.toString('utf8')} `);
  const sealed = await store.vault.seal(caller, `delivery.body:${deliveryId}`, body);
  await sql('update delivery set body = $2 where id = $1', [deliveryId, sealed]);
  await deliveryQueue(stores).lapse(deliveryId);
  expect((await claimFor(store, request.request_id)).message?.body).toEqual(body);
});
