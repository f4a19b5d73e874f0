import type { WebhookSecret } from '@insurance-verification/schema';
import { expect, test } from 'vitest';
import { useService } from '../a-service.ts';
import { iv, ivJson, naming } from '../iv.ts';

const service = useService();

// Breaks if a receiver cannot get its secret, or a leaked one cannot be replaced.
test('show prints the secret; rotate makes another and keeps the one before for a day', async () => {
  const env = naming(service());
  const shown = await iv(['secret', 'show'], env);
  expect(shown).toMatchObject({ exitCode: 0, stderr: '' });
  const first = /^current +(whsec_\S+)\nprevious +-\nprevious_valid_until +-\n$/.exec(shown.stdout)?.[1];

  const rotated = await iv(['secret', 'rotate'], env);
  expect(rotated).toMatchObject({
    exitCode: 0,
    stderr: expect.stringMatching(/^The one before signs until \S+Z: /),
  });
  expect(rotated.stdout).toMatch(/^current +whsec_\S+$/m);
  expect(/^previous +(\S+)$/m.exec(rotated.stdout)?.[1]).toBe(first);

  const now = await ivJson<WebhookSecret>(['secret', 'show'], env);
  const again = await ivJson<WebhookSecret>(['secret', 'rotate'], env);
  expect(again.previous).toBe(now.current);
});
