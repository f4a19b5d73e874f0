import type { AuditExport, AuditFormat, AuditList } from '@insurance-verification/schema';
import { useInFile } from '@insurance-verification/testing/use-in-file';
import { describe, expect, test } from 'vitest';
import { startTestService } from '../a-service.ts';
import { transports } from '../transports.ts';

const service = useInFile(async () => {
  const started = await startTestService();
  for (let count = 0; count < 5; count += 1) await started.ask('GET', '/keys');
  return started;
});

const filter = { operation: 'keys.list' };

describe.each(transports)('over $name', (transport) => {
  const part = async (input: Record<string, unknown>) =>
    transport.output<AuditExport>(await transport.call(service(), 'audit.export', { ...filter, ...input }));

  /** The whole file, two lines of the audit at a time. */
  const file = async (format: AuditFormat) => {
    let text = '';
    for (let cursor: string | null | undefined; cursor !== null;) {
      const { items, next_cursor: next } = await part({ format, limit: 2, ...(cursor && { cursor }) });
      text += items.join('');
      cursor = next;
    }
    return text;
  };

  const listed = async () => {
    const answer = await transport.call(service(), 'audit.list', { ...filter, limit: 100 });
    return transport.output<AuditList>(answer).items;
  };

  // Without it a file could lack lines, or have them twice, where one part ends and the next begins.
  test('the file has the lines that the list has, whatever its parts', async () => {
    const lines = await listed();
    expect(lines).toHaveLength(5);
    const ndjson = (await file('ndjson')).trimEnd().split('\n');
    expect(ndjson.map((line) => JSON.parse(line) as object)).toEqual(lines);
    const [heading, ...rows] = (await file('csv')).trimEnd().split('\r\n');
    expect(heading).toMatch(/^audit_id,at,key_id,/);
    expect(rows.map((row) => row.split(',')[0])).toEqual(lines.map((line) => line.audit_id));
  });

  test('each form names its media type, and without any it is NDJSON with a thousand lines', async () => {
    expect(await part({})).toMatchObject({ media_type: 'application/x-ndjson', next_cursor: null });
    expect(await part({ format: 'csv' })).toMatchObject({ media_type: 'text/csv' });
    expect((await part({ format: 'csv', operation: 'nothing.atAll' })).items).toEqual([
      'audit_id,at,key_id,account_id,operation,request_id,subject_id,emergency,reason,fresh_sign_in,misdated,outcome,name,session_id,address,change,account_name,subject_name,request_count,request_account_id,request_account_name,link_by,link_by_name,account_mode\r\n',
    ]);
  });

  test.each([{ limit: 1001 }, { limit: 0 }, { format: 'xml' }, { cursor: 'x' }, { since: 'yesterday' }])(
    '%j is refused',
    async (input) => {
      expect((await transport.call(service(), 'audit.export', input)).status).toBe(422);
    },
  );

  test('that the audit was exported is in the audit, a line for each part', async () => {
    const count = async () => {
      const answer = await transport.call(service(), 'audit.list', { operation: 'audit.export', limit: 100 });
      return transport.output<AuditList>(answer).items.length;
    };
    const before = await count();
    await file('ndjson');
    expect(await count()).toBe(before + 3);
  });
});
