import { expect, test } from 'vitest';
import { a271, aSubscriber, REQUEST_ID } from '../../test/a-271.ts';
import { readPayerAnswer } from './read-payer-answer.ts';

test('what is below a row that repeats another is said only of that row', () => {
  const text = a271(
    aSubscriber('EB*1**30\nEB*1**30\nEB*1**30\nMSG*OURS\nDTP*346*D8*20260101\nEB*1**30\nEB*1**30\nMSG*LAST'),
  );
  const [subscriber] = readPayerAnswer(text).answers[0]?.payers[0]?.providers[0]?.subscribers ?? [];
  expect(subscriber?.benefits.map(({ messages, dates }) => [...messages, dates.length])).toEqual([
    [0],
    [0],
    ['OURS', 1],
    [0],
    ['LAST', 0],
  ]);
});

/** Without what is kept as it came, which a property compares. */
function withoutSegments(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, one: unknown) => (key === 'segments' ? undefined : one)));
}

test('reads the loops of a 271 into a tree, as they were sent', () => {
  const text = a271(
    aSubscriber(`REF*6P*GROUP7
DTP*346*D8*20260101
HL*4*3*23*0
NM1*03*1*DOE*TIM*B**JR
DMG*D8*20110909*M
EB*B*IND*98^33*PR*GOLD PPO*27*25.5*.2*VS*3*Y*W*HC:99213:25:::Office visit:99215*1:2
HSD*VS*30***23*1
III*ZZ*11
REF*18*PLAN1*GOLD NETWORK
DTP*292*RD8*20260101-20261231
AAA*N**57*C
MSG*COPAY PER VISIT
LS*2120
NM1*P3*1*WELBY*MARCUS****XX*1987654321
N3*1 OAK AVE
N4*SPRINGFIELD*IL*62701
PER*IC*DESK*TE*8005551212*UR*payer.example
PRV*PC*PXC*208D00000X
LE*2120`),
  );
  const { answers, faults } = readPayerAnswer(text);
  expect(faults).toEqual([]);
  const party = { isPerson: false, idQualifier: null, id: null };
  const member = {
    traces: [],
    references: [],
    dates: [],
    unreadDates: [],
    messages: [],
    rejections: [],
    benefits: [],
  };
  expect(withoutSegments(answers)).toEqual([
    {
      controlNumber: '0001',
      reference: REQUEST_ID,
      createdDate: '2026-11-21',
      createdTime: '09:30:00',
      payers: [
        {
          party: {
            ...party,
            role: 'PR',
            name: { last: 'PAYER PLAN 1', first: null, middle: null, suffix: null },
            idQualifier: 'PI',
            id: '60054',
          },
          rejections: [],
          providers: [
            {
              party: {
                ...party,
                role: '1P',
                name: { last: 'MAIN STREET DENTAL', first: null, middle: null, suffix: null },
                idQualifier: 'XX',
                id: '1234567893',
              },
              references: [],
              rejections: [],
              subscribers: [
                {
                  ...member,
                  traces: [{ type: '2', id: REQUEST_ID, origin: '9IVSERVICE' }],
                  party: {
                    role: 'IL',
                    isPerson: true,
                    name: { last: 'DOE', first: 'JANE', middle: null, suffix: null },
                    idQualifier: 'MI',
                    id: 'W123456789',
                  },
                  references: [{ qualifier: '6P', id: 'GROUP7', description: null }],
                  address: { lines: ['12 ELM ST'], city: 'SPRINGFIELD', state: 'IL', postalCode: '62701' },
                  birthDate: '1984-05-17',
                  gender: 'F',
                  dates: [{ qualifier: '346', start: '2026-01-01', end: null }],
                  unreadDates: [],
                  dependents: [
                    {
                      ...member,
                      party: {
                        ...party,
                        role: '03',
                        isPerson: true,
                        name: { last: 'DOE', first: 'TIM', middle: 'B', suffix: 'JR' },
                      },
                      address: null,
                      birthDate: '2011-09-09',
                      gender: 'M',
                      benefits: [
                        {
                          code: 'B',
                          coverageLevel: 'IND',
                          serviceTypes: ['98', '33'],
                          insuranceType: 'PR',
                          planName: 'GOLD PPO',
                          timePeriod: '27',
                          amount: '25.5',
                          percent: '.2',
                          quantityQualifier: 'VS',
                          quantity: '3',
                          authorisation: 'Y',
                          inNetwork: 'W',
                          procedures: [{ qualifier: 'HC', code: '99213', modifiers: ['25'], lastCode: null }],
                          diagnosisPointers: '1:2',
                          deliveries: [
                            {
                              quantityQualifier: 'VS',
                              quantity: '30',
                              unit: null,
                              modulus: null,
                              timePeriod: '23',
                              periodCount: '1',
                              pattern: null,
                              patternTime: null,
                            },
                          ],
                          information: [{ qualifier: 'ZZ', code: '11', category: null, text: null }],
                          references: [{ qualifier: '18', id: 'PLAN1', description: 'GOLD NETWORK' }],
                          dates: [{ qualifier: '292', start: '2026-01-01', end: '2026-12-31' }],
                          unreadDates: [],
                          messages: ['COPAY PER VISIT'],
                          rejections: [{ level: 'benefit', code: '57', followUp: 'C' }],
                          entities: [
                            {
                              role: 'P3',
                              isPerson: true,
                              name: { last: 'WELBY', first: 'MARCUS', middle: null, suffix: null },
                              idQualifier: 'XX',
                              id: '1987654321',
                              address: {
                                lines: ['1 OAK AVE'],
                                city: 'SPRINGFIELD',
                                state: 'IL',
                                postalCode: '62701',
                              },
                              contacts: [
                                { qualifier: 'TE', value: '8005551212' },
                                { qualifier: 'UR', value: 'payer.example' },
                              ],
                              taxonomy: '208D00000X',
                            },
                          ],
                        },
                      ],
                    },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
  ]);
});

test('reports what is outside of every loop as a warning, and reads the rest', () => {
  const { answers, faults } = readPayerAnswer(a271('EB*1**30\nHL*1**20*1\nNM1*PR*2*PAYER'));
  expect(faults.map(({ code }) => code)).toEqual(['segment_misplaced']);
  expect(answers[0]?.payers[0]?.party?.name?.last).toBe('PAYER');
});
