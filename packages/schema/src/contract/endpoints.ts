import * as z from 'zod';
import { EndpointDisabledReason, EventType } from '../event.ts';
import { dateTime } from '../field/date.ts';
import { httpUrl } from '../field/http-url.ts';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/text-and-number.ts';
import { enumeration, model } from '../model.ts';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { operation } from './operation.ts';
import { WebhookSecret } from './webhook-secret.ts';

/** Whose events an endpoint gets: its own account's, those of every test account, or those of every account. */
export const EndpointReach = enumeration('EndpointReach', 'Whose events an endpoint gets.', [
  'own',
  'test',
  'all',
]);
export type EndpointReach = z.infer<typeof EndpointReach>;

const shape = {
  endpoint_id: z.string().meta({ description: 'The id of the endpoint.' }),
  account_id: z.string().meta({ description: 'The account that it belongs to.' }),
  url: z.string().nullable().meta({
    description:
      'The address that events are posted to, without its user name and password; null when the stored one does not open.',
  }),
  types: list(EventType).meta({ description: 'The types of events that it gets.' }),
  covers: EndpointReach.meta({
    description:
      'Whose events: those of its own account; of an operator’s, those of every test account, or of every account.',
  }),
  created_at: dateTime().meta({ description: 'When it was created.' }),
  made_by: z.string().nullable().meta({
    description:
      'The key or person whose end pauses it: who created it, or took it over since. Null: the account itself.',
  }),
  failing_since: dateTime().nullable().meta({
    description: 'When the first attempt failed since it last took one; null while it takes events.',
  }),
  disabled_at: dateTime()
    .nullable()
    .meta({ description: 'Since when it gets no events; null while it gets them.' }),
  disabled_reason: EndpointDisabledReason.nullable().meta({
    description:
      'Why it gets none: five days of failures, a 410, you, or the end of its made_by; null while it gets them.',
  }),
  missed_count: wholeNumber().meta({
    description: 'The events that it missed while it was off, 10,000 at most.',
  }),
};

/** An address that events are posted to. */
export const Endpoint = model('Endpoint', 'An address that events are posted to.', shape);
export type Endpoint = z.infer<typeof Endpoint>;

/** The field for who takes over from a key or person that ends. */
export const successorField = () =>
  z.string().nullable().optional().meta({
    description:
      'The id of a live key or person of the same account that takes over the endpoints; null or absent: they are paused.',
  });

/** The field for the endpoints of a key or person that ended. */
export const endedEndpoints = () =>
  list(Endpoint).meta({
    description: 'The endpoints that it had made, as they are now: paused, or handed over to made_by.',
  });

/** The endpoints of an account. */
export const EndpointList = model('EndpointList', 'The endpoints of an account.', {
  items: list(Endpoint).meta({ description: 'The endpoints, oldest first; five at most.' }),
});
export type EndpointList = z.infer<typeof EndpointList>;

/** A new endpoint, with its secret. */
export const CreatedEndpoint = model('CreatedEndpoint', 'A new endpoint, with its secret.', {
  ...shape,
  secret: z
    .string()
    .meta({ description: 'What its events are signed with: whsec_ and base64. It is shown only here.' }),
});
export type CreatedEndpoint = z.infer<typeof CreatedEndpoint>;

const types = () => list(EventType).min(1).max(EventType.options.length);

/** The body that creates an endpoint (`endpoints.create`). */
export const CreateEndpoint = model('CreateEndpoint', 'A new endpoint.', {
  url: httpUrl().meta({ description: 'Where events are posted to; https in production.' }),
  types: types().meta({ description: 'The types of events that it gets.' }),
});
export type CreateEndpoint = z.infer<typeof CreateEndpoint>;

/** The body that changes an endpoint (`endpoints.update`). An absent field stays as it is. */
export const UpdateEndpoint = model('UpdateEndpoint', 'What to change; an absent field stays as it is.', {
  types: types().optional().meta({ description: 'The types of events that it gets from now on.' }),
  enabled: z.boolean().optional().meta({
    description:
      'False: it gets no more events. True: it gets those that happen from now on, also after it was disabled.',
  }),
});
export type UpdateEndpoint = z.infer<typeof UpdateEndpoint>;

/** Names one endpoint. Any string passes: a malformed id answers 404, like an unknown one. */
export const EndpointRef = model('EndpointRef', 'Names one endpoint.', {
  endpoint_id: z.string().meta({ description: 'The id of the endpoint.' }),
});
export type EndpointRef = z.infer<typeof EndpointRef>;

/** The event that tries an endpoint. */
export const TestedEndpoint = model('TestedEndpoint', 'The event that tries an endpoint.', {
  event_id: z.string().meta({
    description:
      'The id of the event. events.list with the endpoint as subject shows how its attempts ended.',
  }),
});
export type TestedEndpoint = z.infer<typeof TestedEndpoint>;

/** The body that posts what an endpoint did not take, or counts it (`endpoints.recover`). */
export const RecoverEndpoint = model('RecoverEndpoint', 'Which events to post again.', {
  since: dateTime().optional().meta({
    description:
      'All that it did not take since then, also what was given up; absent: what it missed while it was off.',
  }),
  dry_run: z.boolean().default(false).meta({ description: 'True: only counts them.' }),
});
/** {@link RecoverEndpoint} as a type, after the default is filled in. */
export type RecoverEndpoint = z.infer<typeof RecoverEndpoint>;

/** What an endpoint missed and now gets (`endpoints.recover`). */
export const RecoveredEndpoint = model('RecoveredEndpoint', 'What an endpoint missed and now gets.', {
  recovered_count: wholeNumber().meta({ description: 'The events that are posted now; 0 for a dry run.' }),
  missed_count: wholeNumber().meta({
    description: 'The events that are left, 10,000 at most.',
  }),
});
export type RecoveredEndpoint = z.infer<typeof RecoveredEndpoint>;

const exampleEndpoint: Endpoint = {
  endpoint_id: EXAMPLE_IDS.endpoint,
  account_id: EXAMPLE_IDS.account,
  url: 'https://billing.example/events',
  types: ['request.answered', 'request.failed', 'result.corrected'],
  covers: 'own',
  created_at: '2026-11-20T09:00:00.000Z',
  made_by: EXAMPLE_IDS.key,
  failing_since: null,
  disabled_at: null,
  disabled_reason: null,
  missed_count: 0,
};

/** One whose maker has ended, as the answer to that names it. */
export const examplePausedEndpoint: Endpoint = {
  ...exampleEndpoint,
  disabled_at: '2026-11-20T12:00:00.000Z',
  disabled_reason: 'maker_ended',
};

/** Decodes to readable text, so that it is not taken for a secret that signs. */
const EXAMPLE_SECRET = 'whsec_ZW5kcG9pbnQtc2VjcmV0LW9mLXRoZS1leGFtcGxlLi4=';

/** The operations of `endpoints`. */
export const endpointsOperations = () => ({
  create: operation('endpoints.create', {
    post: '/endpoints',
    scopes: ['requests', 'operate'],
    audience: ['provider', 'operator'],
    repeatable: false,
    tag: 'Delivery',
    summary: 'Create an endpoint',
    description:
      'Creates an address that events of the given types are posted to, from now on, and returns the secret that signs them. An account has five at most. An operator’s endpoint gets the events of every account.',
    limit: 'secret-reveal',
    changes: ['delivery'],
    input: CreateEndpoint,
    output: CreatedEndpoint,
    example: { url: exampleEndpoint.url, types: exampleEndpoint.types },
    answers: { created: { ...exampleEndpoint, secret: EXAMPLE_SECRET } },
  }),

  list: operation('endpoints.list', {
    get: '/endpoints',
    scopes: ['requests', 'operate'],
    audience: ['provider', 'operator'],
    tag: 'Delivery',
    summary: 'List endpoints',
    description: 'Returns the endpoints of the account, without their secrets.',
    limit: 'reads',
    output: EndpointList,
    answers: { one: { items: [exampleEndpoint] } },
  }),

  get: operation('endpoints.get', {
    get: '/endpoints/{endpoint_id}',
    scopes: ['requests', 'operate'],
    audience: ['provider', 'operator'],
    tag: 'Delivery',
    summary: 'Read an endpoint',
    description: 'Returns one endpoint of the account, without its secret.',
    limit: 'reads',
    problems: ['not_found'],
    params: EndpointRef,
    output: Endpoint,
    answers: { takes_events: exampleEndpoint },
  }),

  update: operation('endpoints.update', {
    post: '/endpoints/{endpoint_id}',
    scopes: ['requests', 'operate'],
    audience: ['provider', 'operator'],
    repeatable: true,
    tag: 'Delivery',
    summary: 'Change an endpoint',
    description:
      'Changes the types, or disables and enables the endpoint. If its `made_by` has ended, the caller takes it over. `endpoints.recover` posts what it missed. To change the address, create another and end this one.',
    problems: ['not_found'],
    changes: ['delivery'],
    params: EndpointRef,
    input: UpdateEndpoint,
    output: Endpoint,
    example: { types: exampleEndpoint.types, enabled: true },
    answers: { enabled: exampleEndpoint },
  }),

  recover: operation('endpoints.recover', {
    post: '/endpoints/{endpoint_id}/recover',
    scopes: ['requests', 'operate'],
    audience: ['provider', 'operator'],
    repeatable: true,
    tag: 'Delivery',
    summary: 'Post the events that an endpoint missed',
    description:
      'Posts the events that the endpoint missed while it was disabled or its account was suspended, or all that it did not take `since` a time, oldest first, 10,000 a call. Repeat it while `missed_count` is not 0. A disabled endpoint answers 404.',
    limit: 'intake',
    problems: ['not_found'],
    changes: ['delivery'],
    params: EndpointRef,
    input: RecoverEndpoint,
    output: RecoveredEndpoint,
    example: { dry_run: true, since: '2026-11-20T00:00:00Z' },
    answers: { recovered: { recovered_count: 120, missed_count: 0 } },
  }),

  end: operation('endpoints.end', {
    post: '/endpoints/{endpoint_id}/end',
    scopes: ['requests', 'operate'],
    audience: ['provider', 'operator'],
    repeatable: true,
    tag: 'Delivery',
    summary: 'End an endpoint',
    description: 'Ends the endpoint for good: nothing more is posted to it, also not what is still due.',
    problems: ['not_found'],
    changes: ['delivery'],
    params: EndpointRef,
    output: Endpoint,
    answers: { ended: exampleEndpoint },
  }),

  // A second rotation within 24 hours is refused: the secret before the previous one would end too early.
  rotate: operation('endpoints.rotate', {
    post: '/endpoints/{endpoint_id}/rotate',
    scopes: ['secrets'],
    audience: ['provider'],
    repeatable: false,
    tag: 'Delivery',
    summary: 'Rotate the secret of an endpoint',
    description:
      'Creates a new secret for the endpoint and returns it. For 24 hours its events carry signatures of both; until then another rotation returns 429.',
    limit: 'secret-reveal',
    problems: ['not_found', 'rate_limited'],
    changes: ['delivery'],
    params: EndpointRef,
    output: WebhookSecret,
    answers: {
      rotated: {
        current: EXAMPLE_SECRET,
        previous: 'whsec_cHJldmlvdXMtc2VjcmV0LW9mLXRoZS1leGFtcGxlLi4=',
        previous_valid_until: '2026-11-21T12:00:00.000Z',
      },
    },
  }),

  test: operation('endpoints.test', {
    post: '/endpoints/{endpoint_id}/test',
    scopes: ['requests', 'operate'],
    audience: ['provider', 'operator'],
    repeatable: false,
    tag: 'Delivery',
    summary: 'Test an endpoint',
    description:
      'Posts an event `endpoint.test` to the endpoint now, whatever its types. `events.list` with the endpoint as `subject` shows how it ended. A disabled endpoint answers 404.',
    limit: 'intake',
    problems: ['not_found'],
    changes: ['delivery'],
    params: EndpointRef,
    output: TestedEndpoint,
    answers: { posted: { event_id: EXAMPLE_IDS.event } },
  }),
});
