import { expect, test } from 'vitest';
import { anInterchange } from '../test/a-271.ts';
import { readPayerAnswer } from './answer/read-payer-answer.ts';

test('reads a 999: status, and the wrong element with its segment', () => {
  const text = anInterchange(
    'GS*FA*PAYER*IVSERVICE*20261121*0930*42*X*005010X231A1',
    'ST*999*0001*005010X231A1',
    'AK1*HS*7*005010X279A1',
    'AK2*270*0001*005010X279A1',
    'IK3*NM1*10**8',
    'CTX*SITUATIONAL TRIGGER*NM1*10',
    'IK4*9:1*67*1*W123456789',
    'IK5*R*5',
    'AK9*R*1*1*0',
    'SE*9*0001',
    'GE*1*42',
  );
  const { acknowledgements, faults } = readPayerAnswer(text);
  expect(faults).toEqual([]);
  expect(acknowledgements).toEqual([
    {
      groupControlNumber: '7',
      groupStatus: 'R',
      isAccepted: false,
      errors: [
        { segmentId: 'NM1', segmentNumber: 10, elementNumber: null, code: '8' },
        { segmentId: 'NM1', segmentNumber: 10, elementNumber: 9, code: '1' },
        { segmentId: null, segmentNumber: null, elementNumber: null, code: '5' },
      ],
    },
  ]);
});

test('reads a TA1', () => {
  const { interchangeAcknowledgements, faults } = readPayerAnswer(
    anInterchange('TA1*000000007*261121*0930*R*022').replace('IEA*1', 'IEA*0'),
  );
  expect(faults).toEqual([]);
  expect(interchangeAcknowledgements).toEqual([
    { controlNumber: '000000007', status: 'R', noteCode: '022', isAccepted: false },
  ]);
});
