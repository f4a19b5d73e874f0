import {
  AttemptOutcome,
  DeliveryStatus,
  ErrorReason,
  HeldReason,
  RequestState,
  VerificationSource,
} from '@insurance-verification/schema';
import { anOutput } from '@insurance-verification/testing/an-output';
import { until } from '@insurance-verification/testing/until';
import { expect, test } from 'vitest';
import { aGivenUp } from './ground/a-given-up.ts';
import { aHeldOutput } from './ground/a-held-output.ts';
import { aReader } from './ground/rendered.ts';
import { service, useOwnService } from './ground/shared.ts';
import { COUNTED_MS } from './states/made.ts';

// Its own service: it gives a delivery up, after which a receiver is paused.
useOwnService({ WEBHOOK_RETRY_SCHEDULE: '0s' });

const SLUGS = [ErrorReason, DeliveryStatus, AttemptOutcome, HeldReason, RequestState, VerificationSource]
  .flatMap((words): readonly string[] => words.options)
  .filter((slug) => slug.includes('_'));

// Broke: `webhook_exhausted` stood next to “Given up”, and `member_not_found` next to its sentence: two names for one thing.
test(
  'no page of a request shows a slug: a reason, a status and a channel are words',
  async () => {
    const lost = await aGivenUp(service);
    const failed = await service.aRequest();
    await service.client.verificationOutput.submit(
      anOutput(failed, { state: 'error_verifying', error_reason: 'member_not_found', insurance_data: [] }),
    );
    const heldId = await aHeldOutput(service, failed, 'payer_unavailable');
    await until(
      'its receiver is counted',
      async () => (await service.client.receivers.list()).items.length > 0,
      COUNTED_MS,
    );
    const [delivery] = (await service.client.deliveries.list({ request_id: lost })).items;
    const reader = await aReader(service, ['operator', 'requester']);
    for (const [at, shows] of [
      ['/requests', 'Could not verify: member not found'],
      [`/requests/${lost}`, 'not accepted in any attempt'],
      [`/requests/${failed.request_id}`, 'Could not verify'],
      [`/requests/${failed.request_id}/proof`, 'Could not verify. The payer found no member with this data.'],
      ['/deliveries', 'No connection'],
      [`/deliveries/${delivery?.delivery_id}`, 'not accepted in any attempt'],
      ['/receivers', 'No connection'],
      [`/receivers/${delivery?.host}`, 'No connection'],
      ['/held', 'member id'],
      [`/held/${heldId}`, 'payer did not answer'],
      ['/reports', 'Why not verified'],
    ] as const) {
      const { text } = (await reader.open(at)).only('main');
      expect(text, at).toContain(shows);
      expect(
        SLUGS.filter((slug) => text.includes(slug)),
        at,
      ).toEqual([]);
    }
  },
  2 * COUNTED_MS,
);
