import { writeInterchange } from '../envelope/write-interchange.ts';
import { ELIGIBILITY_VERSION } from '../inquiry.ts';
import { type Finding, readFinding } from '../mapping/read-finding.ts';
import { sampleAnswer, type SampleName } from './sample-answers.ts';

/** Any trace: the answer echoes it. */
const TRACE = 'SAMPLE';

const PARTY = { qualifier: 'ZZ', id: 'SAMPLE' };

/** The finding of a sample on a day, `YYYY-MM-DD`, for a patient without a name. */
export function readSample(name: SampleName, serviceDate: string): Extract<Finding, { kind: 'result' }> {
  const text = writeInterchange(
    {
      sender: PARTY,
      receiver: PARTY,
      controlNumber: 1,
      writtenAt: new Date(`${serviceDate}T12:00:00Z`),
      usage: 'T',
    },
    {
      groupId: 'HB',
      transactionId: '271',
      version: ELIGIBILITY_VERSION,
      segments: [
        ['HL', '1', '', '20', '1'],
        ['HL', '2', '1', '21', '1'],
        ['HL', '3', '2', '22', '0'],
        ['TRN', '2', TRACE, PARTY.id],
        ['NM1', 'IL', '1', '', '', '', '', '', 'MI', TRACE],
        ...sampleAnswer(name, Number(serviceDate.slice(0, 4))),
      ],
    },
  );
  const finding = readFinding(text, {
    request: {
      patient_info: { subscriber_id: TRACE },
      payer_info: { name: '' },
      provider_info: { npi: '', name: '' },
      callback_url: '',
    },
    requestId: TRACE,
    serviceDate,
    payerNames: [],
    payerTimeZone: 'UTC',
    receivedAt: new Date(`${serviceDate}T12:00:00Z`),
    personUuid: '',
  });
  if (finding.kind !== 'result') throw new Error('A sample is a result');
  return finding;
}
