import { createSchemas, ListRequests, RequestInfo, ResponseModel } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { aService } from '../../a-service.ts';

// trpc-to-openapi's own handlers set `coerce` in the shared schemas for the rest of the process: "5" would then pass as
// a number in every package that validates with them.
test('after REST calls the exported schemas still coerce nothing', async () => {
  const service = await aService();
  await service.answer('GET', '/requests/?limit=5');
  await service.answer('POST', '/requests/', aRequest());
  await service.ask('POST', '/verification-output', { body: {} });

  for (const limit of ['5', 'false', true, null])
    expect(ListRequests.safeParse({ limit }).success).toBe(false);
  expect(ListRequests.parse({ limit: 5 }).limit).toBe(5);
  const coercions = (models: object) =>
    Object.entries(models).filter(
      ([, model]) => model instanceof z.ZodType && JSON.stringify(z.toJSONSchema(model)) === '{}',
    );
  expect(coercions(createSchemas({ payers: ['a', 'b', 'c', 'd'] }))).toEqual([]);
  for (const wrong of [5, false, 1n, new Date(0)]) {
    const body = aRequest({ patient_info: { subscriber_id: wrong as never } });
    expect(RequestInfo.safeParse(body).success).toBe(false);
  }
  expect(ResponseModel.safeParse({ request: '{}', insurance_data: '[]' }).success).toBe(false);
});
