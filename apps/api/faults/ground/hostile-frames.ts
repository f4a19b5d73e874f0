/** The default of `MAX_BODY_BYTES`. */
export const BODY_BYTES = 1_048_576;

const requestInfo = {
  patient_info: { subscriber_id: 'W123456789' },
  payer_info: { name: 'Payer Plan 1' },
  provider_info: { npi: '1234567893', name: 'Main Street Dental' },
  callback_url: 'https://clinic.example/verified',
};
const request = {
  request_id: null,
  input: requestInfo,
  received_timestamp: '2026-11-20T09:30:00Z',
  state: 'complete',
};
export const entry = {
  person_uuid: '',
  verification_time: '2026-11-20T10:15Z',
  verification_source: 'api',
  patient_info: { subscriber_id: '' },
  plan_info: {},
};

/** The text before and behind the place to fill, which is `"@"` in a valid body. */
export type Frame = readonly [before: string, behind: string];

function frame(body: unknown): Frame {
  const [before = '', behind = ''] = JSON.stringify(body).split('"@"');
  return [before, behind];
}

export const output = {
  body: frame('@'),
  emptyRequest: frame({ request: {}, insurance_data: '@' }),
  request: frame({ request: '@', insurance_data: [] }),
  input: frame({ request: { ...request, input: '@' }, insurance_data: [] }),
  requestCodes: frame({
    request: { ...request, input: { ...requestInfo, cpt_code_coverage: '@' } },
    insurance_data: [],
  }),
  data: frame({ request, insurance_data: '@' }),
  firstEntry: frame({ request, insurance_data: ['@'] }),
  codes: frame({ request, insurance_data: [{ ...entry, plan_info: { cpt_code_coverage: '@' } }] }),
  personUuid: frame({ request, insurance_data: [{ ...entry, person_uuid: '@' }] }),
  time: frame({ request, insurance_data: [{ ...entry, verification_time: '@' }] }),
  startDate: frame({ request, insurance_data: [{ ...entry, plan_info: { start_date: '@' } }] }),
  source: frame({ request, insurance_data: [{ ...entry, verification_source: '@' }] }),
  unknown: frame({ unknown: '@', request, insurance_data: [] }),
  unknownInEntry: frame({ request, insurance_data: [{ ...entry, unknown: '@' }] }),
};
export const create = {
  body: frame('@'),
  patient: frame({ ...requestInfo, patient_info: '@' }),
  codes: frame({ ...requestInfo, cpt_code_coverage: '@' }),
  address: frame({ ...requestInfo, callback_url: '@' }),
  unknown: frame({ ...requestInfo, unknown: '@' }),
};
export const submit = {
  data: frame({ lease_token: 'x', insurance_data: '@' }),
  provenance: frame({ lease_token: 'x', insurance_data: [], provenance: '@' }),
};

/** As many items as fit; each gets its index. */
export function filled(
  [before, behind]: Frame,
  open: string,
  close: string,
  itemOf: (index: number) => string,
): string {
  const items: string[] = [];
  let room = BODY_BYTES - Buffer.byteLength(before + behind + open + close);
  for (let index = 0; ; index += 1) {
    const item = itemOf(index);
    room -= Buffer.byteLength(item) + 1;
    if (room < 0) return `${before}${open}${items.join()}${close}${behind}`;
    items.push(item);
  }
}

export const listOf = (place: Frame, item: string) => filled(place, '[', ']', () => item);
export const keysOf = (place: Frame, memberOf: (index: number) => string) =>
  filled(place, '{', '}', memberOf);

/** One text as long as fits. */
export function longText([before, behind]: Frame, piece: string, start = '', end = ''): string {
  const room = BODY_BYTES - Buffer.byteLength(before + behind + start + end) - 2;
  return `${before}"${start}${piece.repeat(Math.floor(room / Buffer.byteLength(piece)))}${end}"${behind}`;
}

export function nested([before, behind]: Frame, open: string, close: string): string {
  const room = BODY_BYTES - Buffer.byteLength(before + behind) - 1;
  const depth = Math.floor(room / Buffer.byteLength(open + close));
  return `${before}${open.repeat(depth)}0${close.repeat(depth)}${behind}`;
}
