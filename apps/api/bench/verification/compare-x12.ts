import { aRequest } from '@insurance-verification/testing/a-request';
import {
  readFinding,
  readPayerAnswer,
  type SegmentValue,
  tokenize,
  writeInterchange,
} from '@insurance-verification/x12';
import type { Part } from '../part.ts';
import { rateText } from '../report/figure-text.ts';

/** Answers of one kind read per second, and their bytes. */
interface Rate {
  readonly perSecond: number;
  readonly mbPerSecond: number;
}

/**
 * Reads one 271 of a common size repeatedly: only split on its delimiters (the floor), tokenized, read into its loops,
 * and read into a result.
 */
export const x12: Part = {
  name: 'x12',
  run: async ({ settings, say }) => {
    const { answerBytes, rows } = compareReaders(settings.seconds);
    const floorPerSecond = rows['floor']?.perSecond ?? Number.NaN;
    say(`x12, a 271 of ${answerBytes} bytes`);
    for (const [name, { perSecond, mbPerSecond }] of Object.entries(rows)) {
      say(
        `  ${name.padEnd(8)}  ${rateText(perSecond)}, ${mbPerSecond.toFixed(1)} MB/s, ${(perSecond / floorPerSecond).toFixed(2)} of the floor`,
      );
    }
  },
};

function compareReaders(seconds: number) {
  const text = a271();
  const request = aRequest({ callback_url: 'http://127.0.0.1:9/hook' });
  const context = {
    request,
    requestId: 'req_01k9z8t5e6f7g8h9j0k1m2n3p4',
    serviceDate: '2026-11-21',
    payerNames: [request.payer_info.name],
    payerTimeZone: 'America/New_York',
    receivedAt: new Date('2026-11-21T14:30:00Z'),
    personUuid: '00000000-0000-4000-8000-000000000001',
  };
  const readers: Record<string, () => number> = {
    floor: () => text.split('~').map((segment) => segment.split('*')).length,
    tokenize: () => tokenize(text).length,
    tree: () => readPayerAnswer(text).answers.length,
    result: () => readFinding(text, context).insuranceData.length,
  };
  for (const read of Object.values(readers)) rateOf(read, text.length, 0.3);
  const share = seconds / (2 * Object.keys(readers).length);
  const rows = Object.fromEntries(
    Object.entries(readers).map(([name, read]) => [name, rateOf(read, text.length, share)]),
  );
  return { answerBytes: text.length, rows };
}

function rateOf(read: () => number, byteCount: number, seconds: number): Rate {
  let count = 0;
  let sum = 0;
  const startedAt = performance.now();
  let elapsedMs = 0;
  while (elapsedMs < seconds * 1_000) {
    for (let turn = 0; turn < 50; turn++) sum += read();
    count += 50;
    elapsedMs = performance.now() - startedAt;
  }
  if (sum === 0) throw new Error('Nothing was read.');
  const perSecond = (count / elapsedMs) * 1_000;
  return { perSecond, mbPerSecond: (perSecond * byteCount) / 1e6 };
}

/** One coverage, 40 benefits with dates and messages: some 3 KB, a payer's usual size. */
function a271(): string {
  const benefits = Array.from({ length: 40 }, (_, index): SegmentValue[] => [
    [
      'EB',
      index % 2 ? 'C' : 'B',
      'IND',
      String(index + 1),
      'PR',
      'GOLD PPO',
      '27',
      '25',
      '',
      '',
      '',
      '',
      'Y',
    ],
    ['DTP', '292', 'RD8', '20260101-20261231'],
    ...(index % 8 === 0 ? [['MSG', 'COPAY PER VISIT'] as const] : []),
  ]);
  const segments: SegmentValue[] = [
    ['BHT', '0022', '11', 'req_01k9z8t5e6f7g8h9j0k1m2n3p4', '20261121', '0930'],
    ['HL', '1', '', '20', '1'],
    ['NM1', 'PR', '2', 'PAYER PLAN 1', '', '', '', '', 'PI', '60054'],
    ['HL', '2', '1', '21', '1'],
    ['NM1', '1P', '2', 'MAIN STREET DENTAL', '', '', '', '', 'XX', '1234567893'],
    ['HL', '3', '2', '22', '0'],
    ['TRN', '2', 'req_01k9z8t5e6f7g8h9j0k1m2n3p4', '9IVSERVICE'],
    ['NM1', 'IL', '1', 'DOE', 'JANE', '', '', '', 'MI', 'W123456789'],
    ['DMG', 'D8', '19840517', 'F'],
    ['EB', '1', 'IND', '30', 'PR', 'GOLD PPO'],
    ['DTP', '346', 'D8', '20260101'],
    ...benefits.flat(),
  ];
  return writeInterchange(
    {
      sender: { qualifier: 'ZZ', id: 'PAYER' },
      receiver: { qualifier: 'ZZ', id: 'IVSERVICE' },
      controlNumber: 42,
      writtenAt: new Date('2026-11-21T14:30:00Z'),
      usage: 'P',
    },
    { groupId: 'HB', transactionId: '271', version: '005010X279A1', segments },
  );
}
