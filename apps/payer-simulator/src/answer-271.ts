import {
  ELIGIBILITY_VERSION,
  type EligibilityInquiry,
  type EnvelopeOptions,
  sampleAnswer,
  type SampleName,
  type SegmentValue,
  writeInterchange,
} from '@insurance-verification/x12';

/** How an answer deviates from the inquiry. */
export interface AnswerShape {
  /** Echoes a trace number that was not sent. */
  readonly otherTrace?: true;
  /** Ends the interchange with a different control number. */
  readonly otherControlNumber?: true;
  /** Uses its own delimiters, and one line per segment. */
  readonly otherDelimiters?: true;
}

type Rows = readonly SegmentValue[];

const ALL: SegmentValue = ['EB', '1', 'IND', '30', 'PR', 'GOLD PPO'];

/** The benefit rows of the scenarios. */
export const benefits = {
  active: ({ procedures, serviceDate }: EligibilityInquiry): Rows => [
    ALL,
    ['DTP', '346', 'D8', `${serviceDate.slice(0, 4)}0101`],
    ['MSG', 'SIMULATED ANSWER'],
    ['EB', 'C', 'IND', '30', '', '', '23', '1500'],
    ...procedures.map(({ qualifier, code, modifiers }): SegmentValue => [
      'EB',
      '1',
      ...blanks(10),
      'Y',
      [qualifier, code, ...modifiers],
    ]),
  ],
  inactive: (): Rows => [
    ['EB', '6', 'IND', '30', 'PR', 'GOLD PPO'],
    ['DTP', '347', 'D8', '20241231'],
  ],
  several: (): Rows => [
    ALL,
    ['DTP', '291', 'RD8', '20200101-99991231'],
    ['EB', '1', 'IND', '30', 'HM', 'SILVER HMO'],
    ['DTP', '356', 'D8', '20210701'],
    ['EB', '6', 'IND', '35', '', 'BRIGHT DENTAL'],
  ],
  otherPayer: (): Rows => [
    ALL,
    ['EB', 'R', '', '30'],
    ['LS', '2120'],
    ['NM1', 'PRP', '2', 'OTHER HEALTH CO', ...blanks(4), 'PI', '99999'],
    ['LE', '2120'],
  ],
  /** A whole answer, as such payers send it. */
  sample:
    (name: SampleName) =>
    ({ serviceDate }: EligibilityInquiry): Rows =>
      sampleAnswer(name, Number(serviceDate.slice(0, 4))),
  /** Amounts that are not the plan's: a rider's deductible, and a co-payment of the first three visits. */
  otherCosts: (): Rows => [
    ALL,
    ['EB', 'C', 'IND', '30', '', 'DENTAL RIDER 50', '23', '50', ...blanks(4), 'Y'],
    ['EB', 'B', 'IND', '98', '', '', '27', '0', '', 'VS', '3', '', 'Y'],
    ['EB', 'A', 'IND', '30', ...blanks(4), '.2', ...blanks(3), 'Y'],
  ],
  ended: (): Rows => [ALL, ['DTP', '291', 'RD8', '20200101-20201231']],
  unsure: (): Rows => [
    ['EB', 'U', '', '30'],
    ['MSG', 'CONTACT PAYER'],
  ],
};

/** A 271 down to the subscriber level: the subscriber is the patient. */
export function subscriberAnswer(inquiry: EligibilityInquiry, rows: Rows): Rows {
  return [...providerLevels(inquiry, '1'), ...subscriber(inquiry, '0'), ...rows];
}

/** The patient is a child of the subscriber, with benefits of their own. */
export function dependentAnswer(inquiry: EligibilityInquiry): Rows {
  return childAnswer(inquiry, [], benefits.active(inquiry));
}

/** The patient is a child with only a name; the subscriber's deductible is met. */
export function namedDependentAnswer(inquiry: EligibilityInquiry): Rows {
  const deductible = (level: string, period: string, amount: string): SegmentValue => {
    const [id, ...elements] = `EB*C*${level}*30***${period}*${amount}*****Y`.split('*');
    return [id ?? 'EB', ...elements];
  };
  const rows: Rows = [
    ALL,
    deductible('IND', '23', '1000'),
    deductible('IND', '29', '0'),
    deductible('FAM', '23', '2000'),
    deductible('FAM', '29', '800'),
  ];
  return childAnswer(inquiry, rows, []);
}

function childAnswer(inquiry: EligibilityInquiry, ofSubscriber: Rows, ofChild: Rows): Rows {
  const { last, first } = inquiry.subscriber.name ?? { last: 'DOE', first: 'CHILD' };
  return [
    ...providerLevels(inquiry, '1'),
    ['HL', '3', '2', '22', '1'],
    ['TRN', '2', inquiry.traceId, inquiry.traceOrigin],
    ['NM1', 'IL', '1', upper(last), 'PARENT', ...blanks(3), 'MI', inquiry.subscriber.memberId],
    ...ofSubscriber,
    ['HL', '4', '3', '23', '0'],
    ['NM1', '03', '1', upper(last), upper(first)],
    ...demographics(inquiry),
    ['INS', 'N', '19'],
    ...ofChild,
  ];
}

/** The payer found the member id, and names another person who has it. */
export function relativesAnswer({ subscriber: asked, ...inquiry }: EligibilityInquiry): Rows {
  const name = { last: asked.name?.last ?? 'DOE', first: 'RELATIVE', middle: null, suffix: null };
  const relative = { ...asked, name, birthDate: '1950-01-01' };
  return subscriberAnswer({ ...inquiry, subscriber: relative }, [ALL]);
}

/** Two dependents with the patient's birth date; the payer gives only initials of their names. */
export function twinsAnswer(inquiry: EligibilityInquiry): Rows {
  const { name, memberId } = inquiry.subscriber;
  const twin = (number: string): Rows => [
    ['HL', number, '3', '23', '0'],
    ['NM1', '03', '1', upper(name?.last), upper(name?.first?.charAt(0))],
    ...demographics(inquiry),
    number === '4' ? ALL : ['EB', '6', 'IND', '30', 'PR', 'GOLD PPO'],
  ];
  return [
    ...providerLevels(inquiry, '1'),
    ['HL', '3', '2', '22', '1'],
    ['TRN', '2', inquiry.traceId, inquiry.traceOrigin],
    ['NM1', 'IL', '1', upper(name?.last), 'PARENT', ...blanks(3), 'MI', memberId],
    ...twin('4'),
    ...twin('5'),
  ];
}

export function payerRejection(inquiry: EligibilityInquiry, code: string): Rows {
  return [...payerLevel(inquiry, '0'), ['AAA', 'Y', '', code, 'N']];
}

export function providerRejection(inquiry: EligibilityInquiry, code: string): Rows {
  return [...providerLevels(inquiry, '0'), ['AAA', 'N', '', code, 'C']];
}

/** The 271 in its envelope. */
export function write271(segments: Rows, envelope: EnvelopeOptions, shape: AnswerShape = {}): string {
  const options = shape.otherDelimiters
    ? { ...envelope, delimiters: { element: '|', component: '>', segment: "'", repetition: '!' } }
    : envelope;
  const text = writeInterchange(options, {
    groupId: 'HB',
    transactionId: '271',
    version: ELIGIBILITY_VERSION,
    segments: shape.otherTrace ? segments.map(withOtherTrace) : segments,
  });
  if (shape.otherDelimiters) return text.replaceAll("'", "'\r\n");
  return shape.otherControlNumber ? text.replace(/\d{9}~$/, '999999999~') : text;
}

function withOtherTrace(segment: SegmentValue): SegmentValue {
  return segment[0] === 'TRN' ? ['TRN', '2', 'req_of_somebody_else', '9SIMULATOR'] : segment;
}

function payerLevel({ traceId, payer }: EligibilityInquiry, hasChild: string): Rows {
  const digits = new Date().toISOString().replaceAll(/\D/g, '');
  return [
    ['BHT', '0022', '11', traceId, digits.slice(0, 8), digits.slice(8, 14)],
    ['HL', '1', '', '20', hasChild],
    ['NM1', 'PR', '2', upper(payer.name), ...blanks(4), 'PI', payer.id],
  ];
}

function providerLevels(inquiry: EligibilityInquiry, hasChild: string): Rows {
  const { name, npi, isPerson } = inquiry.provider;
  return [
    ...payerLevel(inquiry, '1'),
    ['HL', '2', '1', '21', hasChild],
    ['NM1', '1P', isPerson ? '1' : '2', upper(name.last), upper(name.first), ...blanks(3), 'XX', npi],
  ];
}

function subscriber(inquiry: EligibilityInquiry, hasChild: string): Rows {
  const { name, memberId } = inquiry.subscriber;
  return [
    ['HL', '3', '2', '22', hasChild],
    ['TRN', '2', inquiry.traceId, inquiry.traceOrigin],
    [
      'NM1',
      'IL',
      '1',
      upper(name?.last ?? 'DOE'),
      upper(name?.first),
      upper(name?.middle),
      '',
      '',
      'MI',
      memberId,
    ],
    ...demographics(inquiry),
  ];
}

function demographics({ subscriber: { birthDate, gender } }: EligibilityInquiry): Rows {
  return birthDate === null ? [] : [['DMG', 'D8', birthDate.replaceAll('-', ''), gender ?? 'U']];
}

function upper(text: string | null | undefined): string {
  return text?.toUpperCase() ?? '';
}

function blanks(count: number): string[] {
  return Array.from({ length: count }, () => '');
}
