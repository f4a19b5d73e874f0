import type { ResponseModel } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anEntry } from '../../test/ground/an-entry.ts';
import { messageBody } from './message.ts';

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
