import {
  BODY_BYTES,
  create,
  entry,
  filled,
  keysOf,
  listOf,
  longText,
  nested,
  output,
  submit,
} from './hostile-frames.ts';

/** A body built to cost as much as possible, and its operation's answer. */
export interface HostileBody {
  readonly name: string;
  readonly model: 'ResponseModel' | 'RequestInfo' | 'SubmitWork';
  /** Built on demand: together they take 70 MB. */
  readonly text: () => string;
  /** Faults in the 422; 0 for a conforming body; null for a body that is not JSON. */
  readonly faultCount: number | null;
}

const json = JSON.stringify;
const named = (index: number) => `_${index.toString(36)}`;

const responses: readonly [name: string, text: () => string, faultCount: number | null][] = [
  ['empty entries behind an empty request', () => listOf(output.emptyRequest, '{}'), 1_000],
  ['empty entries', () => listOf(output.data, '{}'), 1_000],
  ['zeros for entries', () => listOf(output.data, '0'), 1_000],
  ['nulls for entries', () => listOf(output.data, 'null'), 1_000],
  ['lists for entries', () => listOf(output.data, '[]'), 1_000],
  ['lists of lists for entries', () => listOf(output.data, '[[[]]]'), 1_000],
  ['texts for entries', () => listOf(output.data, '""'), 1_000],
  ['entries of one unknown member', () => listOf(output.data, '{"a":0}'), 1_000],
  [
    'entries that all have another member',
    () => filled(output.data, '[', ']', (n) => `{"${named(n)}":{}}`),
    1_000,
  ],
  [
    'entries of the right members, each of a wrong type',
    () => listOf(output.data, json(mapped(entry, 0))),
    1_000,
  ],
  ['entries of the right members, each null', () => listOf(output.data, json(mapped(entry, null))), 1_000],
  ['entries with an empty patient', () => listOf(output.data, json({ ...entry, patient_info: {} })), 1_000],
  [
    'entries with a wrong source',
    () => listOf(output.data, json({ ...entry, verification_source: 'x' })),
    1_000,
  ],
  [
    'entries with an almost-date',
    () => listOf(output.data, json({ ...entry, verification_time: '2026-13-01T00:00Z' })),
    1_000,
  ],
  [
    'entries with an almost-date of a plan',
    () => listOf(output.data, json({ ...entry, plan_info: { end_date: '2026-02-30' } })),
    1_000,
  ],
  ['codes that are numbers', () => listOf(output.codes, '0'), 1_000],
  ['codes that are null', () => listOf(output.codes, 'null'), 1_000],
  ['codes that are objects', () => listOf(output.codes, '{}'), 1_000],
  ['codes of the request that are lists', () => listOf(output.requestCodes, '[]'), 1_000],
  [
    'codes that are objects of their own names',
    () => filled(output.codes, '[', ']', (n) => `{"${named(n)}":[]}`),
    1_000,
  ],
  ['a body of unknown members', () => keysOf(output.body, (n) => `"${named(n)}":0`), 2],
  ['a body of unknown objects', () => keysOf(output.body, (n) => `"${named(n)}":{}`), 2],
  ['a body of numbered members', () => keysOf(output.body, (n) => `"${n * 7919}":[]`), 2],
  ['a request of unknown members', () => keysOf(output.request, (n) => `"${named(n)}":{}`), 4],
  ['an entry of unknown members', () => keysOf(output.firstEntry, (n) => `"${named(n)}":{}`), 5],
  ['an unknown member full of objects', () => listOf(output.unknown, '{}'), 0],
  [
    'an unknown member of an entry, full of members',
    () => keysOf(output.unknownInEntry, (n) => `"${named(n)}":{}`),
    0,
  ],
  ['one member again and again', () => keysOf(output.body, () => '"request":{}'), 5],
  [
    'one member of a thousand faults again and again',
    () => keysOf(output.body, () => `"insurance_data":[${'{},'.repeat(999)}{}]`),
    1_000,
  ],
  [
    'a member whose name is escaped, again and again',
    () => keysOf(output.body, () => String.raw`"\u0072equest":{}`),
    5,
  ],
  ['lists nested to the end', () => nested(output.body, '[', ']'), 1],
  ['objects nested to the end', () => nested(output.body, '{"a":', '}'), 2],
  ['lists nested where an object is due', () => nested(output.input, '[', ']'), 1],
  ['lists nested where a text is due', () => nested(output.personUuid, '[', ']'), 1],
  ['objects nested in an unknown member', () => nested(output.unknown, '{"a":', '}'), 0],
  ['lists that nobody closes', () => '['.repeat(BODY_BYTES), null],
  ['objects that nobody closes', () => '{"a":'.repeat(Math.floor(BODY_BYTES / 5)), null],
  ['a list cut off at its end', () => listOf(output.data, '{}').slice(0, -2), null],
  ['a text that nobody closes', () => `["${'x'.repeat(BODY_BYTES - 2)}`, null],
  ['white space around too little', () => `${' '.repeat(BODY_BYTES - 2)}{}`, 2],
  [
    'a number of a megabyte',
    () => `${output.personUuid[0]}${'1'.repeat(BODY_BYTES - 1_000)}${output.personUuid[1]}`,
    1,
  ],
  [
    'a fraction of a megabyte',
    () => `${output.personUuid[0]}0.${'1'.repeat(BODY_BYTES - 1_000)}${output.personUuid[1]}`,
    1,
  ],
  ['a source of a megabyte', () => longText(output.source, 'x'), 1],
  [
    'a time that is almost one, a megabyte long',
    () => longText(output.time, '0', '2026-11-20T10:15:00.', 'x'),
    1,
  ],
  ['a time of digits', () => longText(output.time, '2'), 1],
  ['a time of blanks', () => longText(output.time, ' ', '2026-11-20'), 1],
  [
    'a date with a megabyte of zero time',
    () => longText(output.startDate, '0', '2026-11-20T00:00:00.', 'x'),
    1,
  ],
  [
    'a valid time with a megabyte of fraction',
    () => longText(output.time, '0', '2026-11-20T10:15:00.', 'Z'),
    0,
  ],
  ['a valid text of a megabyte', () => longText(output.personUuid, 'x'), 0],
  ['a valid text of escapes', () => longText(output.personUuid, String.raw`\u0041`), 0],
  ['a valid text of line ends', () => longText(output.personUuid, String.raw`\n`), 0],
  ['a valid text beyond ASCII', () => longText(output.personUuid, '🦷'), 0],
  ['as many valid entries as fit', () => listOf(output.data, json(entry)), 0],
  [
    'as many valid entries as fit, each with more',
    () => listOf(output.data, json({ ...entry, more: [{}] })),
    0,
  ],
  ['as many valid codes as fit', () => listOf(output.codes, '""'), 0],
  ['as many different valid codes as fit', () => filled(output.codes, '[', ']', (n) => `"${named(n)}"`), 0],
];

const requests: typeof responses = [
  ['codes that are numbers', () => listOf(create.codes, '0'), 1_000],
  ['codes that are objects', () => listOf(create.codes, '{}'), 1_000],
  ['more valid codes than a create takes', () => listOf(create.codes, '"D0120"'), 0],
  ['a body of unknown members', () => keysOf(create.body, (n) => `"${named(n)}":0`), 4],
  ['a patient of unknown members', () => keysOf(create.patient, (n) => `"${named(n)}":[]`), 1],
  ['a patient that is a list of lists', () => listOf(create.patient, '[[]]'), 1],
  ['an unknown member full of lists', () => listOf(create.unknown, '[]'), 0],
  ['one member again and again', () => keysOf(create.body, () => '"patient_info":{}'), 4],
  ['an address of a megabyte', () => longText(create.address, 'x', 'https://'), 1],
  ['an address of characters beyond ASCII', () => longText(create.address, '🦷', 'https://'), 1],
  ['lists nested where a patient is due', () => nested(create.patient, '[', ']'), 1],
];

const submissions: typeof responses = [
  ['empty entries', () => listOf(submit.data, '{}'), 1_000],
  ['zeros for entries', () => listOf(submit.data, '0'), 1_000],
  ['places that are empty', () => listOf(submit.provenance, '{}'), 1_000],
  ['places of wrong types', () => listOf(submit.provenance, '{"field":0,"source":0}'), 1_000],
  ['places that are almost right', () => listOf(submit.provenance, '{"field":"","source":""}'), 1_000],
];

/** Bodies of `MAX_BODY_BYTES` built to stall the process or fill its memory, each for the operation with its model. */
export const HOSTILE_BODIES: readonly HostileBody[] = [
  ...responses.map((row) => hostileBody('ResponseModel', ...row)),
  ...requests.map((row) => hostileBody('RequestInfo', ...row)),
  ...submissions.map((row) => hostileBody('SubmitWork', ...row)),
];

function hostileBody(
  model: HostileBody['model'],
  name: string,
  text: () => string,
  faultCount: number | null,
): HostileBody {
  return { model, name, text, faultCount };
}

/** An object with the same members, all of one value. */
function mapped(members: object, value: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.keys(members).map((name) => [name, value]));
}
