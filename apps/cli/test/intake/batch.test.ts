import { once } from 'node:events';
import { createReadStream, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Batch, BATCH_COLUMNS, type ReceivedBatch } from '@insurance-verification/schema';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { aRequest } from '@insurance-verification/testing/a-request';
import { until } from '@insurance-verification/testing/until';
import { describe, expect, onTestFinished, test } from 'vitest';
import { useService } from '../a-service.ts';
import { iv, ivJson, ivProcess, naming, startIv } from '../iv.ts';

const service = useService();

/** Writes a file to a folder of its own. */
function aFile(name: string, content: string): string {
  const path = join(aFolder(), name);
  writeFileSync(path, content);
  return path;
}

const HEADER =
  'reference,patient_info.subscriber_id,payer_info.name,provider_info.npi,provider_info.name,cpt_code_coverage,callback_url';

const csvRow = (number: number, { npi = '1234567893', member = `W${number}` } = {}) =>
  `visit-${number},${member},Payer Plan 1,${npi},"Roe, Dr.",D0120 D1110,https://clinic.example/in`;

const csvOf = (rows: readonly string[]) => `\uFEFF${HEADER}\r\n${rows.join('\r\n')}\r\n`;

const rowsTo = (count: number) => Array.from({ length: count }, (_, index) => csvRow(index + 1));

const BAD = Array.from({ length: 37 }, (_, index) => 17 + index * 250);

test('of ten thousand rows 37 are rejected, and are in a file with their faults: exit code 3', async () => {
  const rows = rowsTo(10_000);
  for (const row of BAD) rows[row - 1] = csvRow(row, { member: '' });
  const path = aFile('visits.csv', csvOf(rows));
  const sent = await iv(['batch', 'create', path, '--label', 'Visits'], naming(service()));
  expect(sent.exitCode, sent.stderr).toBe(3);
  expect(sent.stdout).toMatch(
    /^batch_id +bat_\w+\nlabel +Visits\n.*received +10000\nrejected +37\nwaiting +9963\n/s,
  );
  expect(sent.stderr).toContain('Sending 10,000 rows.\n10,000 of 10,000 rows are sent.\n');
  expect(sent.stderr).toContain('37 of 10,000 rows were rejected.');
  const rejected = `${path}.rejected.csv`;
  const lines = readFileSync(rejected, 'utf8').trimEnd().split('\r\n');
  expect(lines).toEqual([
    `\uFEFFrow,error,${HEADER}`,
    ...BAD.map((row) => `${row},patient_info.subscriber_id: Field required,${csvRow(row, { member: '' })}`),
  ]);
  expect(statSync(rejected).mode & 0o777).toBe(0o600);

  // Sent again it is the same batch; the rejected rows are another, as they are: what is still wrong gets its new fault.
  const id = (await lastBatch())?.batch_id;
  expect((await iv(['batch', 'create', path], naming(service()))).stdout).toContain(id);
  const corrected = lines.map((line, index) =>
    index === 1 ? line : line.replace(/(visit-\d+),,/, '$1,W1,'),
  );
  const second = aFile('corrected.csv', `${corrected.join('\n')}\n,,\n`);
  const again = await iv(['batch', 'create', second], naming(service()));
  expect([again.exitCode, again.stderr]).toEqual([3, expect.stringContaining('Sending 37 rows.')]);
  expect(again.stderr).toContain('1 of 37 rows were rejected.');
  expect(again.stderr).toContain('Correct them there, and send that file.');
  expect(readFileSync(`${second}.rejected.csv`, 'utf8').trimEnd().split('\r\n')).toEqual([
    `\uFEFFrow,error,${HEADER}`,
    `1,patient_info.subscriber_id: Field required,${csvRow(17, { member: '' })}`,
  ]);
});

test('a row with a stray quote is rejected as it is in the file', async () => {
  const broken = csvRow(2).replace('"Roe, Dr."', 'Roe "Dr"');
  const path = aFile('quotes.csv', csvOf([csvRow(1), broken, csvRow(3)]));
  const sent = await iv(['batch', 'create', path], naming(service()));
  expect([sent.exitCode, sent.stderr]).toEqual([3, expect.stringContaining('1 of 3 rows were rejected.')]);
  expect(readFileSync(`${path}.rejected.csv`, 'utf8')).toContain(`inside a cell`);
  expect(readFileSync(`${path}.rejected.csv`, 'utf8').trimEnd().endsWith(`,${broken}`)).toBe(true);
});

async function lastBatch(): Promise<Batch | undefined> {
  const { items } = await service().client.batches.list({ limit: 1 });
  return items[0];
}

// Without it a batch of a night would be lost with its terminal, or be there twice.
test('a file whose sender is killed is resumed by the same command, each row once', async () => {
  const pad = 'x'.repeat(600);
  const rows = Array.from(
    { length: 12_000 },
    (_, index) => `${JSON.stringify({ ...aRequest(), reference: `r${index + 1}`, later_member: pad })}\n`,
  );
  const path = aFile('visits.ndjson', rows.join(''));
  const args = ['batch', 'create', path];
  const child = startIv(args, naming(service()));
  child.stdout.resume();
  for await (const line of createInterface(child.stderr))
    if (line.startsWith('10,000 of')) child.kill('SIGKILL');
  const cut = await until('the batch is incomplete', async () => {
    const batch = await lastBatch();
    return batch?.state === 'incomplete' && batch;
  });
  expect(cut.counters.received).toBeGreaterThan(0);
  expect(cut.counters.received).toBeLessThan(12_000);
  const whole = await ivJson<ReceivedBatch>(args, naming(service()));
  expect(whole).toMatchObject({
    batch_id: cut.batch_id,
    counters: { received: 12_000, rejected: 0, waiting: 12_000 },
  });
  const output = join(aFolder(), 'results.ndjson');
  const read = await iv(['batch', 'results', cut.batch_id, '-o', output], naming(service()));
  expect(read, read.stderr).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  const references: unknown[] = [];
  for await (const line of createInterface(createReadStream(output)))
    references.push((JSON.parse(line) as { reference: unknown }).reference);
  expect(references).toEqual(rows.map((_, index) => `r${index + 1}`));
}, 112_000);

test('a connection that breaks ends with 1 and the command that resumes', async () => {
  const server = createServer((req) => req.once('data', () => req.socket.destroy())).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const path = aFile('visits.csv', csvOf(rowsTo(3)));
  const args = ['batch', 'create', path, '--label', 'of March'];
  const broken = await iv(args, naming({ url, apiKey: service().apiKey }));
  expect(broken).toMatchObject({ exitCode: 1, stdout: '' });
  expect(broken.stderr).toMatch(/the connection failed \(\w+\)\.\nThe rows that were stored stay stored\./);
  expect(broken.stderr).toContain(`\niv batch create ${path} --label 'of March'\n`);
});

// A sender that lost its network still sends, as far as the service knows.
test('while another sends the same file, it says when to try again', async () => {
  const { url, apiKey, client } = service();
  const sending = new AbortController();
  async function* endless() {
    for (let number = 1; ; number += 1) {
      yield { ...aRequest(), reference: `r${number}` };
      if (number % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  const options = { idempotencyKey: 'both', signal: sending.signal };
  const ended = client.batches.create(endless(), options).catch((err: unknown) => err);
  await until('rows are stored', async () => (await lastBatch())?.state === 'receiving');
  const path = aFile('visits.ndjson', `${JSON.stringify({ ...aRequest(), reference: 'r1' })}\n`);
  const refused = await iv(['batch', 'create', path, '--key', 'both'], naming({ url, apiKey }));
  expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
  expect(refused.stderr).toMatch(/ \(409\) Try again in \d+ s\.\n/);
  sending.abort(new Error('enough'));
  expect(await ended).toMatchObject({ message: 'enough' });
});

test('of an all_or_nothing batch only the rows at fault are in the file, and nothing is accepted', async () => {
  const rows = [{ ...aRequest(), reference: 'a' }, { reference: 'b' }, { ...aRequest(), reference: 'c' }];
  const path = aFile('visits.jsonl', `${rows.map((row) => JSON.stringify(row)).join('\n\n')}\n[1]`);
  const args = ['batch', 'create', path, '--mode', 'all_or_nothing', '--key', 'all-1'];
  const sent = await iv(args, naming(service()));
  expect(sent.exitCode, sent.stderr).toBe(3);
  expect(sent.stderr).toContain('No row was accepted, since 2 of 4 have faults (all_or_nothing).');
  const kept = readFileSync(`${path}.rejected.ndjson`, 'utf8').trimEnd().split('\n');
  expect(kept.map((line) => JSON.parse(line) as object)).toEqual([
    { row: 2, reference: 'b', error: expect.stringContaining('patient_info: Field required; ') },
    { row: 4, line: '[1]', error: expect.any(String) },
  ]);
});

test('all faults are read where the answer has only the first thousand', async () => {
  const rows = Array.from({ length: 1_200 }, (_, index) => csvRow(index + 1, { member: '' }));
  const path = aFile('visits.csv', csvOf(rows));
  expect((await iv(['batch', 'create', path], naming(service()))).exitCode).toBe(3);
  expect(readFileSync(`${path}.rejected.csv`, 'utf8').trimEnd().split('\r\n')).toHaveLength(1_201);
});

describe('before anything is sent', () => {
  test('a spreadsheet’s doubtful cells are named by row and column, never by value', async () => {
    const rows = Array.from({ length: 25 }, (_, index) =>
      csvRow(index + 1, { npi: '123456789', member: '1.5E+10' }),
    );
    const path = aFile('visits.csv', csvOf(rows));
    const { stderr } = await iv(['batch', 'create', path], naming(service()));
    const warnings = stderr.split('\n').filter((line) => line.startsWith('Warning: '));
    expect(warnings).toHaveLength(21);
    expect(warnings.slice(0, 2)).toEqual([
      'Warning: row 1, patient_info.subscriber_id: a spreadsheet seems to have shortened a long number. It is sent as it is.',
      'Warning: row 1, provider_info.npi: a spreadsheet seems to have dropped a leading zero. It is sent as it is.',
    ]);
    expect(warnings.at(-1)).toBe('Warning: and 30 more cells like these.');
    expect(stderr).not.toMatch(/123456789|1\.5E/);
  });

  test.each([
    ['no file', 'none.csv', null, 'it cannot be read (ENOENT)'],
    ['another kind of file', 'visits.xlsx', 'PK', 'expected a name that ends with .csv, .ndjson or .jsonl'],
    ['no row', 'visits.csv', `${HEADER}\n`, 'it has no row'],
    [
      'an unknown column',
      'visits.csv',
      'reference,Smith\nx,y\n',
      'Column 2 of the header row should be one of',
    ],
    [
      'an open quote',
      'visits.csv',
      `${HEADER}\n${csvRow(1)}\n"Smith,W1\n`,
      'in row 2 a quoted cell is not closed',
    ],
    [
      'another encoding',
      'visits.csv',
      Buffer.from(`${HEADER}\nM\xfcller\n`, 'latin1'),
      'expected text in UTF-8',
    ],
    ['a row too many', 'visits.ndjson', '{}\n'.repeat(100_001), 'expected 100,000 rows at most'],
  ])('%s is refused with 2', async (_, name, content, message) => {
    const path = join(aFolder(), name);
    if (content !== null) writeFileSync(path, content);
    const refused = await iv(['batch', 'create', path], naming(service()));
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toContain(message);
    expect(refused.stderr).not.toMatch(/Smith|M.?ller/);
    expect(refused.stderr).toContain('Right, for example: iv batch create visits.csv');
  });
});

test('a template becomes a batch, which is listed, shown, read as a table, and canceled', async () => {
  const template = await iv(['batch', 'template'], naming(service()));
  expect(template.stdout.split('\r\n')[0]).toBe(BATCH_COLUMNS.join(','));
  // Broke: a line feed of another kind at its end was a part of the last cell.
  const path = aFile('visits.csv', `${template.stdout}\n`);
  const { batch_id: id } = await ivJson<ReceivedBatch>(['batch', 'create', path], naming(service()));
  expect((await iv(['batch', 'list'], naming(service()))).stdout).toContain(id);
  expect((await iv(['batch', 'get', id], naming(service()))).stdout).toMatch(/waiting +1\n/);
  const table = await iv(['batch', 'results', id, '--csv'], naming(service()));
  expect(table.stdout).toMatch(/^row,reference,.*\r\n1,visit-1001,req_\w+,not_answered,[^\n]*\r\n$/);
  const none = await iv(['batch', 'results', id, '--outcome', 'active'], naming(service()));
  expect(none).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  expect((await iv(['batch', 'cancel', id], naming(service()))).exitCode).toBe(0);
  const missing = await iv(['batch', 'results', 'bat_1'], naming(service()));
  expect(missing).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('there is no batch bat_1') });
});

// Without it a script would take half of the results for all.
test('results that were cut off end with 1, and leave no file', async () => {
  const server = createServer((_req, res) => res.end('{"row":1}\n')).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const output = join(aFolder(), 'results.ndjson');
  const cut = await ivProcess(
    ['batch', 'results', 'bat_1', '-o', output],
    naming({ url, apiKey: service().apiKey }),
  );
  expect(cut).toMatchObject({ exitCode: 1, stdout: '' });
  expect(cut.stderr).toContain('cut off');
  expect([existsSync(output), existsSync(`${output}.part`)]).toEqual([false, false]);
});
