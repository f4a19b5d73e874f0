import * as z from 'zod';
import { isTimeZone } from '../field/date.ts';
import { list } from '../field/list.ts';
import { VerificationSource } from './insurance-plan-data.ts';
import { filedSheet } from './sheet/sheet-row.ts';

const attempts = () =>
  z
    .int()
    .min(1)
    .max(20)
    .meta({ description: 'How often a request is tried on one channel before it is handed on.' });

const minutes = () =>
  z
    .number()
    .positive()
    .max(60 * 24 * 60)
    .meta({ description: 'How long a request may stay in the channel before it is handed on.' });

const PayerChannel = z
  .strictObject({
    source: VerificationSource,
    attempts: attempts().optional(),
    minutes: minutes().optional(),
    keep_trying: z
      .union([
        z.literal('until'),
        z
          .number()
          .positive()
          .max(60 * 24 * 60),
      ])
      .optional()
      .meta({
        description:
          'Of `api`: how long a request waits for a payer that does not answer, in minutes. `until`, as when absent: a row of a batch until two hours before its Needed-By, a single request for half of the time that is left, in the last channel until it is needed; without Needed-By eight hours and one hour.',
      }),
  })
  .refine(({ source, keep_trying }) => source === 'api' || keep_trying === undefined, {
    path: ['keep_trying'],
    message: 'only the channel api has it',
  });

const text = () => z.string().min(1).nullable().optional();

const interchangeId = () =>
  z
    .string()
    .regex(/^[ -)+-9;-}]{1,15}$/, 'expected 1 to 15 printable characters, none of * : ~')
    .meta({ description: 'As the clearinghouse gave it.' });

const qualifier = () =>
  z
    .string()
    .regex(/^[\dA-Z]{2}$/)
    .optional();

/** How to query the payer's clearinghouse over X12 (270 out, 271 in). */
const PayerX12 = z.strictObject({
  url: z
    .url({ protocol: /^https?$/ })
    .meta({ description: 'Where 270s are posted. Production takes https only.' }),
  envelope: z
    .enum(['raw', 'json', 'multipart'])
    .optional()
    .meta({ description: 'How the X12 text travels; raw, the body itself, when absent.' }),
  sender_id: interchangeId(),
  sender_qualifier: qualifier(),
  receiver_id: interchangeId(),
  receiver_qualifier: qualifier(),
  trace_origin: z
    .string()
    .regex(/^[\dA-Z]{10}$/)
    .optional()
    .meta({
      description:
        'Ten characters that name us next to each trace number; made of the sender id when absent.',
    }),
  time_zone: z
    .string()
    .refine(isTimeZone, 'expected an IANA time zone, for example America/New_York')
    .optional()
    .meta({ description: "The clock the payer's dates are told by; America/New_York when absent." }),
  test: z.boolean().optional().meta({ description: 'True marks every interchange as a test.' }),
  in_flight_max: z
    .int()
    .min(1)
    .max(500)
    .optional()
    .meta({ description: 'Inquiries under way at once, of all processes together; 20 when absent.' }),
});

/** The fields of an inquiry over X12. An absent one is lean: less is rejected, and costs less. */
const PayerInquiry = z.strictObject({
  service_types: list(
    z.string().regex(/^[\dA-Z]{1,3}$/, 'expected service types of X12, for example 30 or 35'),
  )
    .min(1)
    .max(10)
    .refine((types) => new Set(types).size === types.length, 'names one service type twice')
    .optional()
    .meta({
      description:
        'The service types (EQ01). Absent: `["30"]`, the plan; `["35"]`, dental care, where `sheet` is `dental` or a request asks for dental codes only.',
    }),
  together: z.enum(['one', 'many']).optional().meta({
    description:
      'one: one service type an inquiry, and codes in one of their own; many: all service types in one, and with `procedures` `cdt` or `all` the codes too. one when absent.',
  }),
  procedures: z.enum(['auto', 'none', 'cdt', 'all']).optional().meta({
    description:
      'Which codes are asked for. auto: while one of the last twenty answers spoke of a code; none; cdt: dental codes only; all. auto when absent.',
  }),
  address: z.enum(['never', 'when_ambiguous']).optional().meta({
    description:
      "when_ambiguous: the patient's address is sent once the payer has found several members; when_ambiguous when absent.",
  }),
  tin: z.enum(['no', 'yes']).optional().meta({
    description: "yes: the provider's tax id is sent; no when absent.",
  }),
  gender: z.enum(['no', 'yes']).optional().meta({
    description: "yes: the patient's gender is sent, where the request gives it; no when absent.",
  }),
});

const PlannedDowntime = z
  .strictObject({
    from: z.iso.datetime({ offset: true }).meta({ description: 'When it begins, RFC 3339 with an offset.' }),
    until: z.iso.datetime({ offset: true }).meta({ description: 'When it ends.' }),
    channels: list(VerificationSource)
      .min(1)
      .optional()
      .meta({ description: 'The channels that are down; all when absent.' }),
  })
  .refine(({ from, until }) => Date.parse(from) < Date.parse(until), 'ends before it begins');

const DAYS = '(mon|tue|wed|thu|fri|sat|sun)';
const TIME = '([01]\\d|2[0-3]):[0-5]\\d';

/** By a day or a span of days, each with the times between which it is open. */
const Hours = z.record(
  z.string().regex(new RegExp(`^${DAYS}(-${DAYS})?$`), 'expected a day or a span of days: mon, or mon-fri'),
  list(
    z.string().regex(new RegExp(`^${TIME}-(${TIME}|24:00)$`), 'expected a span of hours: 08:00-18:00'),
  ).max(10),
);

const Phone = z.strictObject({
  purpose: z.string().min(1).max(60).meta({ description: 'What it is for, for example `eligibility`.' }),
  number: z.string().min(1).max(60).meta({ description: 'The number.' }),
});

const PayerEntry = z
  .strictObject({
    id: z
      .string()
      .regex(/^[\w-]{1,64}$/)
      .meta({ description: 'Stays when the name changes; rows store it. Letters, digits, _ and -.' }),
    name: z.string().meta({ description: 'The payer plan name, as requests give it.' }),
    aliases: list(z.string().min(1).max(200)).max(100).optional().meta({
      description: 'Other names that cards and people give it, for `payers.resolve`.',
    }),
    channels: list(z.union([VerificationSource, PayerChannel]))
      .min(1)
      .refine(
        (channels) => new Set(channels.map(sourceOf)).size === channels.length,
        'names one channel twice',
      )
      .optional()
      .meta({
        description: 'The route, cheapest first. Absent: all five, without the unattended ones.',
      }),
    skip_unattended: z.boolean().optional().meta({
      description:
        'True: a verifier of a later channel may take a request whose earlier channels have had no verifier for ten minutes.',
    }),
    phone_number: text().meta({ description: 'Where to call about eligibility.' }),
    phones: list(Phone).max(20).optional().meta({ description: 'Its other numbers, by what they are for.' }),
    menu_path: text().meta({
      description: 'What to press or say in the phone menu, for example `4, then 2`.',
    }),
    menu_path_changed_on: z.iso
      .date()
      .nullable()
      .optional()
      .meta({ description: 'The day on which the menu was last another, `YYYY-MM-DD`.' }),
    time_zone: z
      .string()
      .refine(isTimeZone, 'expected an IANA time zone, for example America/Chicago')
      .optional()
      .meta({ description: 'The clock of its hours and holidays, for example `America/Chicago`.' }),
    hours: Hours.optional().meta({
      description:
        'When its phone is answered, by day: `{"mon-fri": ["08:00-18:00"]}`. Outside of these hours its phone channels rest. Absent: always open.',
    }),
    holidays: list(z.iso.date()).max(400).optional().meta({
      description: 'Days on which its phone is not answered, `YYYY-MM-DD`.',
    }),
    portal_url: z.url().nullable().optional().meta({ description: 'Where to log in.' }),
    notes: text().meta({ description: 'What a verifier should know.' }),
    sheet: filedSheet().optional().meta({
      description: 'What verifiers ask besides the coverage: `dental`, `medical`, or a list of rows.',
    }),
    x12_payer_id: text().meta({ description: 'The payer id in 270 requests; `id` when absent.' }),
    x12: PayerX12.nullable()
      .optional()
      .meta({ description: 'The API channel to the payer; null or absent: none.' }),
    inquiry: PayerInquiry.optional().meta({
      description: 'What an inquiry over X12 asks and sends; lean when absent.',
    }),
    in_flight_max: z
      .int()
      .min(1)
      .nullable()
      .optional()
      .meta({ description: 'Requests worked on at once, all channels together; null or absent: no bound.' }),
    attempts: attempts().optional(),
    planned_downtime: list(PlannedDowntime).max(100).optional().meta({
      description: 'When the payer has said that it will not answer; shown at `/status`.',
    }),
    agent_results: z.enum(['applied', 'held']).optional().meta({
      description:
        'held: what an AI agent found waits for an operator, who applies or dismisses it; applied when absent.',
    }),
  })
  .refine(({ time_zone, hours, holidays }) => time_zone !== undefined || (!hours && !holidays), {
    path: ['time_zone'],
    message: 'hours and holidays need it',
  })
  .refine(({ hours, holidays }) => hours !== undefined || !holidays, {
    path: ['hours'],
    message: 'holidays need them',
  });

/** The file named by `PAYERS_FILE`: the four payers, how to reach each, and the order of its channels. */
export const PayersFile = z.strictObject({
  $schema: z.string().optional(),
  payers: list(PayerEntry).meta({ description: 'Exactly four, in the order of the Payer enumeration.' }),
});
export type PayersFile = z.infer<typeof PayersFile>;

function sourceOf(channel: VerificationSource | z.infer<typeof PayerChannel>): VerificationSource {
  return typeof channel === 'string' ? channel : channel.source;
}
