import type { Schemas } from '@insurance-verification/schema';
import { EXAMPLE_IDS, exampleOutput } from '@insurance-verification/schema/contract';
import { WEBHOOK_HEADERS } from '@insurance-verification/webhook';
import * as z from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';

/** Describes the call that the service makes to receivers. */
export function webhookOf(schemas: Schemas): ZodOpenApiOperationObject {
  const headers = {
    [WEBHOOK_HEADERS.id]: [
      'Names the message: the same on every attempt and redelivery.',
      EXAMPLE_IDS.delivery,
    ],
    [WEBHOOK_HEADERS.timestamp]: ['When this attempt was signed, in seconds since 1970.', '1795169700'],
    [WEBHOOK_HEADERS.signature]: [
      'Standard Webhooks: `v1,` and base64 HMAC-SHA256 over `id.timestamp.body`; several during a rotation.',
      'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    ],
    [WEBHOOK_HEADERS.verificationVersion]: [
      'The version of the result, from 1; a correction is a new message with the next version.',
      '1',
    ],
    [WEBHOOK_HEADERS.verificationBenefits]: [
      'The path at which the benefits of this version are read; absent where it came without. Not signed.',
      `/requests/${EXAMPLE_IDS.request}/benefits?version=1`,
    ],
  } as const;
  return {
    operationId: 'verificationResult',
    summary: 'The result, posted to your callback_url',
    description:
      'Verify the signature over the raw bytes before anything else, keep the `webhook-id`s that you have seen (delivery is at least once), and answer 2xx within 15 seconds.',
    security: [],
    requestParams: {
      header: z.object(
        Object.fromEntries(
          Object.entries(headers).map(([name, [description, example]]) => [
            name,
            (name === WEBHOOK_HEADERS.verificationBenefits ? z.string().optional() : z.string()).meta({
              description,
              param: { example },
            }),
          ]),
        ),
      ),
    },
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemas.ResponseModel, example: exampleOutput(schemas) } },
    },
    responses: {
      '2XX': { description: 'Received. Decided only by the status.' },
      '410': { description: 'Gone: no further attempt is made.' },
      default: { description: 'Tried again on the schedule; redirects are not followed.' },
    },
  };
}
