import type { AuditVerification } from '@insurance-verification/schema';
import { aDroppedMonth } from '@insurance-verification/store/testing/a-dropped-month';
import { useInFile } from '@insurance-verification/testing/use-in-file';
import { expect, test } from 'vitest';
import { startTestService } from '../a-service.ts';
import { transports } from '../transports.ts';

const dropped = useInFile(async () => {
  const { databaseUrl, sealKey, month } = await aDroppedMonth();
  const service = await startTestService({ databaseUrl, env: { AUDIT_SEAL_KEY: sealKey } });
  return { service, month, stop: () => service.stop() };
});

// Broke: a month that an operator had dropped by name was reported as lines that somebody had removed.
test.each(transports)(
  'a dropped month is reported with its record, and is no fault, over $name',
  async (transport) => {
    const { service, month } = dropped();
    const verified = transport.output<AuditVerification>(await transport.call(service, 'audit.verify', {}));
    expect(verified).toMatchObject({ bad_range: null, next_cursor: null });
    expect(verified.verified_through).toBeGreaterThanOrEqual(3);
    expect(verified.dropped).toEqual([
      {
        drop: 1,
        month,
        dropped_at: expect.any(String),
        dropped_by: 'ann@ops1',
        first_id: '1',
        last_id: '30',
        line_count: 30,
        first_seal: 1,
        last_seal: 3,
        archive_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
  },
);
