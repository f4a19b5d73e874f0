import { type EnvelopeOptions, writeInterchange } from '@insurance-verification/x12';

/** A 999 that rejects the group. */
export function write999(envelope: EnvelopeOptions, groupControlNumber: string): string {
  return writeInterchange(envelope, {
    groupId: 'FA',
    transactionId: '999',
    version: '005010X231A1',
    segments: [
      ['AK1', 'HS', groupControlNumber, '005010X279A1'],
      ['AK2', '270', '0001', '005010X279A1'],
      ['IK3', 'NM1', '10', '', '8'],
      ['IK4', '9', '67', '7'],
      ['IK5', 'R', '5'],
      ['AK9', 'R', '1', '1', '0'],
    ],
  });
}

/** An interchange with a TA1 and no group: the inquiry's interchange was not even opened. */
export function writeTa1(envelope: EnvelopeOptions, controlNumber: string, noteCode: string): string {
  const whole = writeInterchange(envelope, {
    groupId: 'FA',
    transactionId: '999',
    version: '',
    segments: [],
  });
  const header = whole.slice(0, 106);
  const trailer = whole.slice(whole.lastIndexOf('IEA')).replace('IEA*1', 'IEA*0');
  const digits = envelope.writtenAt.toISOString().replaceAll(/\D/g, '');
  return `${header}TA1*${controlNumber}*${digits.slice(2, 8)}*${digits.slice(8, 12)}*R*${noteCode}~${trailer}`;
}
