import type { Rule } from '../src/rules.ts';
import { type Edited, drop, listAt, memberOf, move, operationOf, schemaOf, turn } from './edit.ts';

type Edit = (contract: Edited) => void;

const CREATE = ['post', '/requests/'] as const;
const PACKAGES = '@insurance-verification';
const header = (contract: Edited, name: string) =>
  (operationOf(contract, ...CREATE)['parameters'] as Record<string, unknown>[]).find(
    (one) => one['name'] === name,
  ) ?? {};
const okOf = ({ at }: Edited) => at('document', 'paths', '/requests/', 'post', 'responses', '200');
const webhook = ({ at }: Edited) => at('document', 'webhooks', 'verificationResult', 'post');
const exported = ({ at }: Edited, name: string, entry: string, one: string) =>
  at('packages', `${PACKAGES}/${name}`, 'entryPoints', entry, one);

/** A careless change each, with the rule that it breaks and the place. */
export const BREAKING: [what: string, rule: Rule, path: string, edit: Edit][] = [
  [
    'a path is renamed',
    'operation-removed',
    'GET /payers',
    ({ at }) => move(at('document', 'paths'), '/payers', '/carriers'),
  ],
  [
    'a method is gone',
    'operation-removed',
    'GET /requests/',
    ({ at }) => move(at('document', 'paths', '/requests/'), 'get'),
  ],
  [
    'an operation gets another id',
    'operation-renamed',
    'GET /payers',
    (one) => void (operationOf(one, 'get', '/payers')['operationId'] = 'payers-all'),
  ],
  [
    'an operation asks for two keys',
    'security-added',
    'POST /requests/',
    (one) => void (operationOf(one, ...CREATE)['security'] = [{ apiKey: [], other: [] }]),
  ],
  [
    'a header is no longer taken',
    'parameter-removed',
    'POST /requests/ header Needed-By',
    (one) => drop(operationOf(one, ...CREATE), 'parameters', header(one, 'Needed-By')),
  ],
  [
    'a query parameter is renamed',
    'parameter-removed',
    'GET /requests/ query cursor',
    (one) => {
      for (const parameter of listAt(operationOf(one, 'get', '/requests/'), 'parameters') as Record<
        string,
        unknown
      >[])
        if (parameter['name'] === 'cursor') parameter['name'] = 'after';
    },
  ],
  [
    'a header must be sent',
    'parameter-required',
    'POST /requests/ header Idempotency-Key',
    (one) => void (header(one, 'Idempotency-Key')['required'] = true),
  ],
  [
    'a new header must be sent',
    'parameter-required',
    'POST /requests/ header Account-Id',
    (one) =>
      void listAt(operationOf(one, ...CREATE), 'parameters').push({
        in: 'header',
        name: 'Account-Id',
        required: true,
        schema: { type: 'string' },
      }),
  ],
  [
    'a header gets shorter',
    'bound-narrowed',
    'POST /requests/ header Idempotency-Key',
    (one) => void ((header(one, 'Idempotency-Key')['schema'] as Record<string, unknown>)['maxLength'] = 64),
  ],
  [
    'an operation needs a body',
    'body-required',
    'GET /payers',
    (one) => void (operationOf(one, 'get', '/payers')['requestBody'] = { required: true, content: {} }),
  ],
  [
    'an answer has another media type',
    'media-type-removed',
    'POST /requests/ 200',
    (one) =>
      move(okOf(one)['content'] as Record<string, unknown>, 'application/json', 'application/hal+json'),
  ],
  [
    'a body has another media type',
    'media-type-removed',
    'POST /requests/ body',
    ({ at }) =>
      move(
        at('document', 'paths', '/requests/', 'post', 'requestBody', 'content'),
        'application/json',
        'text/json',
      ),
  ],
  [
    'a create answers 201',
    'status-removed',
    'POST /requests/',
    ({ at }) => move(at('document', 'paths', '/requests/', 'post', 'responses'), '200', '201'),
  ],
  [
    'a create may answer 202 too',
    'status-added',
    'POST /requests/',
    ({ at }) => void (at('document', 'paths', '/requests/', 'post', 'responses')['202'] = {}),
  ],
  [
    'an error is no longer documented',
    'status-removed',
    'POST /requests/',
    ({ at }) => move(at('document', 'paths', '/requests/', 'post', 'responses'), '422'),
  ],
  [
    'a header of an answer is gone',
    'header-removed',
    'POST /requests/ 200 header RateLimit',
    (one) => move(okOf(one)['headers'] as Record<string, unknown>, 'RateLimit'),
  ],
  [
    'a component is renamed',
    'component-removed',
    'PlanInfo',
    (one) =>
      void Object.assign(one, {
        document: JSON.parse(
          JSON.stringify(one.document)
            .replaceAll('schemas/PlanInfo"', 'schemas/Plan"')
            .replace('"PlanInfo":', '"Plan":'),
        ) as unknown,
      }),
  ],
  [
    'a field is renamed',
    'input-removed',
    'PatientInfo.subscriber_id',
    (one) =>
      move(
        schemaOf(one, 'PatientInfo')['properties'] as Record<string, unknown>,
        'subscriber_id',
        'member_id',
      ),
  ],
  [
    'a field must be sent',
    'input-required',
    'PatientInfo.name',
    (one) => void listAt(schemaOf(one, 'PatientInfo'), 'required').push('name'),
  ],
  [
    'a new field must be sent',
    'input-required',
    'RequestInfo.reference',
    (one) => {
      (schemaOf(one, 'RequestInfo')['properties'] as Record<string, unknown>)['reference'] = {
        type: 'string',
      };
      listAt(schemaOf(one, 'RequestInfo'), 'required').push('reference');
    },
  ],
  [
    'unknown members of a request are refused',
    'input-closed',
    'RequestInfo',
    (one) => void (schemaOf(one, 'RequestInfo')['additionalProperties'] = false),
  ],
  [
    'null is refused',
    'input-narrowed',
    'PatientInfo.name',
    (one) => void (memberOf(one, 'PatientInfo', 'name')['type'] = 'string'),
  ],
  [
    'null is refused in a choice',
    'input-narrowed',
    'RequestInfo.cpt_code_coverage',
    (one) =>
      void (memberOf(one, 'RequestInfo', 'cpt_code_coverage')['anyOf'] = [
        { type: 'array', items: { type: 'string' } },
      ]),
  ],
  [
    'a text becomes a number',
    'input-narrowed',
    'PatientInfo.dob',
    (one) => void (memberOf(one, 'PatientInfo', 'dob')['type'] = 'integer'),
  ],
  [
    'any text becomes one of a list',
    'input-narrowed',
    'PatientInfo.dob',
    (one) => void (memberOf(one, 'PatientInfo', 'dob')['enum'] = ['1970-01-01']),
  ],
  [
    'the items of a list get another type',
    'input-narrowed',
    'RequestInfo.cpt_code_coverage[]',
    (one) =>
      void (memberOf(one, 'RequestInfo', 'cpt_code_coverage')['anyOf'] = [
        { type: 'array', items: { type: 'integer' } },
        { type: 'null' },
      ]),
  ],
  [
    'an address gets shorter',
    'bound-narrowed',
    'RequestInfo.callback_url',
    (one) => void (memberOf(one, 'RequestInfo', 'callback_url')['maxLength'] = 255),
  ],
  [
    'a text must not be empty',
    'bound-narrowed',
    'PatientInfo.subscriber_id',
    (one) => void (memberOf(one, 'PatientInfo', 'subscriber_id')['minLength'] = 1),
  ],
  [
    'a member id has a pattern',
    'pattern-changed',
    'PatientInfo.subscriber_id',
    (one) => void (memberOf(one, 'PatientInfo', 'subscriber_id')['pattern'] = '^W'),
  ],
  [
    'a birth date must be a date',
    'format-changed',
    'PatientInfo.dob',
    (one) => void (memberOf(one, 'PatientInfo', 'dob')['format'] = 'date'),
  ],
  [
    'a default changes',
    'default-changed',
    'GET /requests/ query limit',
    (one) => {
      for (const parameter of listAt(operationOf(one, 'get', '/requests/'), 'parameters') as Record<
        string,
        unknown
      >[])
        if (parameter['name'] === 'limit')
          parameter['schema'] = { ...(parameter['schema'] as object), default: 7 };
    },
  ],
  [
    'a field of an answer is gone',
    'answer-removed',
    'RequestModel.error_reason',
    (one) => move(schemaOf(one, 'RequestModel')['properties'] as Record<string, unknown>, 'error_reason'),
  ],
  [
    'a field of an answer may be absent',
    'answer-optional',
    'RequestModel.state',
    (one) => drop(schemaOf(one, 'RequestModel'), 'required', 'state'),
  ],
  [
    'a field of an answer may be null',
    'answer-widened',
    'RequestModel.received_timestamp',
    (one) => void (memberOf(one, 'RequestModel', 'received_timestamp')['type'] = ['string', 'null']),
  ],
  [
    'a moment becomes a day',
    'format-changed',
    'RequestModel.received_timestamp',
    (one) => void (memberOf(one, 'RequestModel', 'received_timestamp')['format'] = 'date'),
  ],
  [
    'a state is gone',
    'value-removed',
    'RequestState',
    (one) => void listAt(schemaOf(one, 'RequestState'), 'enum').splice(0, 1),
  ],
  [
    'a closed list is any text',
    'answer-widened',
    'EligibilityStatus',
    (one) => move(schemaOf(one, 'EligibilityStatus'), 'enum'),
  ],
  [
    'a constant changes',
    'constant-changed',
    'POST /requests/ 200 header Idempotency-Replayed',
    (one) =>
      void (one.at(
        'document',
        'paths',
        '/requests/',
        'post',
        'responses',
        '200',
        'headers',
        'Idempotency-Replayed',
        'schema',
      )['const'] = 'yes'),
  ],
  [
    'the webhook is gone',
    'webhook-removed',
    'webhook verificationResult',
    ({ at }) => move(at('document', 'webhooks'), 'verificationResult'),
  ],
  [
    'the webhook is signed under another name',
    'webhook-header-removed',
    'webhook verificationResult header webhook-signature',
    (one) =>
      void (listAt(webhook(one), 'parameters')[2] = {
        in: 'header',
        name: 'signature',
        schema: { type: 'string' },
      }),
  ],
  [
    'a header of the webhook may be absent',
    'answer-optional',
    'webhook verificationResult header webhook-id',
    (one) => void ((listAt(webhook(one), 'parameters')[0] as Record<string, unknown>)['required'] = false),
  ],
  [
    'the body of the webhook loses a field',
    'answer-removed',
    'InsurancePlanData.notes',
    (one) => move(schemaOf(one, 'InsurancePlanData')['properties'] as Record<string, unknown>, 'notes'),
  ],
  [
    'a code of a problem is renamed',
    'problem-removed',
    'problem request_leased',
    ({ at }) => move(at('registries', 'problems'), 'request_leased', 'leased'),
  ],
  [
    'a problem has another status',
    'problem-changed',
    'problem not_found',
    ({ at }) => void (at('registries', 'problems', 'not_found')['status'] = 410),
  ],
  [
    'a reason is gone',
    'reason-removed',
    'reason member_not_found',
    ({ at }) => move(at('registries', 'reasons'), 'member_not_found'),
  ],
  [
    'a reason is for somebody else to fix',
    'reason-changed',
    'reason member_not_found',
    ({ at }) => void (at('registries', 'reasons', 'member_not_found')['fixedBy'] = 'payer'),
  ],
  [
    'a JSON Schema is gone',
    'schema-file-removed',
    'JSON Schema Payer',
    ({ at }) => move(at('jsonSchemas'), 'Payer'),
  ],
  [
    'a JSON Schema has another id',
    'schema-id-changed',
    'JSON Schema Payer',
    ({ at }) => void (at('jsonSchemas', 'Payer')['$id'] = 'urn:x'),
  ],
  [
    'a JSON Schema refuses an old request',
    'fixture-refused',
    'fixture “every field”',
    ({ at }) =>
      void (at('jsonSchemas', 'RequestInfo', '$defs', 'PatientInfo', 'properties')['address'] = {
        type: 'null',
      }),
  ],
  [
    'an entry point is gone',
    'entry-point-removed',
    `${PACKAGES}/schema ./contract`,
    ({ at }) => move(at('packages', `${PACKAGES}/schema`, 'entryPoints'), './contract'),
  ],
  [
    'the published files move',
    'entry-point-removed',
    `${PACKAGES}/schema ./fixtures/*.json`,
    ({ at }) => drop(at('packages', `${PACKAGES}/schema`), 'files', './fixtures/*.json'),
  ],
  [
    'an exported function is renamed',
    'export-removed',
    `${PACKAGES}/schema createSchemas`,
    ({ at }) =>
      move(at('packages', `${PACKAGES}/schema`, 'entryPoints', '.'), 'createSchemas', 'makeSchemas'),
  ],
  [
    'a model is a type only',
    'export-changed',
    `${PACKAGES}/schema PatientInfo`,
    (one) => void (exported(one, 'schema', '.', 'PatientInfo')['kinds'] = ['type']),
  ],
  [
    'a function needs another argument',
    'argument-required',
    `${PACKAGES}/client createRestClient`,
    (one) =>
      void listAt(exported(one, 'client', '.', 'createRestClient'), 'parameters').push({
        name: 'clock',
        optional: false,
      }),
  ],
  [
    'a function takes an argument less',
    'argument-removed',
    `${PACKAGES}/client createRestClient`,
    (one) => void listAt(exported(one, 'client', '.', 'createRestClient'), 'parameters').pop(),
  ],
  [
    'a member of an interface is gone',
    'member-removed',
    `${PACKAGES}/schema ProblemFact.title`,
    (one) => void (exported(one, 'schema', '.', 'ProblemFact')['members'] = []),
  ],
  [
    'an option must be given',
    'member-required',
    `${PACKAGES}/webhook AddressGuardOptions.clock`,
    (one) =>
      void listAt(exported(one, 'webhook', '.', 'AddressGuardOptions'), 'members').push({
        name: 'clock',
        optional: false,
      }),
  ],
  [
    'an older Node is dropped',
    'node-raised',
    `${PACKAGES}/schema engines`,
    ({ at }) => void (at('packages', `${PACKAGES}/schema`)['node'] = '>=22'),
  ],
  [
    'a peer moves up',
    'peer-raised',
    `${PACKAGES}/schema zod`,
    ({ at }) => void (at('packages', `${PACKAGES}/schema`, 'peers')['zod'] = '^5.0.0'),
  ],
];

/** A change each that breaks no program. */
export const COMPATIBLE: [what: string, edit: Edit][] = [
  ['nothing', () => undefined],
  [
    'a new path',
    ({ at }) =>
      void (at('document', 'paths')['/samples'] = { post: { operationId: 'samples-create', responses: {} } }),
  ],
  [
    'a new method',
    ({ at }) =>
      void (at('document', 'paths', '/payers')['post'] = { operationId: 'payers-create', responses: {} }),
  ],
  [
    'a new webhook',
    ({ at }) =>
      void (at('document', 'webhooks')['later'] = { post: { operationId: 'later', responses: {} } }),
  ],
  [
    'a new component',
    ({ at }) => void (at('document', 'components', 'schemas')['Sample'] = { type: 'object' }),
  ],
  [
    'a new optional header',
    (one) =>
      void listAt(operationOf(one, ...CREATE), 'parameters').push({
        in: 'header',
        name: 'Sample',
        schema: { type: 'string' },
      }),
  ],
  [
    'a new optional query parameter',
    (one) =>
      void listAt(operationOf(one, 'get', '/requests/'), 'parameters').push({
        in: 'query',
        name: 'since',
        required: false,
        schema: { type: 'string' },
      }),
  ],
  [
    'a header may be longer',
    (one) => void ((header(one, 'Idempotency-Key')['schema'] as Record<string, unknown>)['maxLength'] = 512),
  ],
  ['an optional body', (one) => void (operationOf(one, 'get', '/payers')['requestBody'] = { content: {} })],
  [
    'a body in another media type too',
    ({ at }) =>
      void (at('document', 'paths', '/requests/', 'post', 'requestBody', 'content')['text/csv'] = {}),
  ],
  [
    'an answer in another media type too',
    (one) => void ((okOf(one)['content'] as Record<string, unknown>)['text/csv'] = {}),
  ],
  [
    'an answer with another header',
    (one) =>
      void ((okOf(one)['headers'] as Record<string, unknown>)['Server-Timing'] = {
        schema: { type: 'string' },
      }),
  ],
  [
    'another status of an error',
    ({ at }) => void (at('document', 'paths', '/requests/', 'post', 'responses')['451'] = {}),
  ],
  ['an operation needs no key', (one) => void (operationOf(one, 'get', '/payers')['security'] = [])],
  ['parameters in another order', (one) => turn(operationOf(one, ...CREATE), 'parameters')],
  [
    'a new optional field of a request',
    (one) =>
      void ((schemaOf(one, 'RequestInfo')['properties'] as Record<string, unknown>)['reference'] = {
        type: 'string',
      }),
  ],
  [
    'a new field of an answer',
    (one) => {
      one.at('document', 'components', 'schemas', 'RequestList', 'properties')['total'] = { type: 'integer' };
      listAt(schemaOf(one, 'RequestList'), 'required').push('total');
    },
  ],
  [
    'a field of an answer is always there',
    (one) => void listAt(schemaOf(one, 'SubmittedWork'), 'required').push('version'),
  ],
  [
    'a field of an answer is never null',
    (one) => void (memberOf(one, 'RequestList', 'next_cursor')['type'] = 'string'),
  ],
  ['an answer has bounds', (one) => void (memberOf(one, 'RequestList', 'next_cursor')['maxLength'] = 64)],
  [
    'an answer has a pattern',
    (one) => void (memberOf(one, 'RequestList', 'next_cursor')['pattern'] = '^[a-z_]+$'),
  ],
  ['an answer has a format', (one) => void (memberOf(one, 'RequestList', 'next_cursor')['format'] = 'slug')],
  [
    'an answer has a list of its values',
    (one) => void (memberOf(one, 'RequestList', 'next_cursor')['enum'] = ['payer_down', null]),
  ],
  [
    'a new value of an enumeration',
    (one) => void listAt(schemaOf(one, 'RequestState'), 'enum').push('parked'),
  ],
  ['an enumeration in another order', (one) => turn(schemaOf(one, 'RequestState'), 'enum')],
  [
    'members in another order',
    (one) =>
      void (schemaOf(one, 'PlanInfo')['properties'] = Object.fromEntries(
        Object.entries(schemaOf(one, 'PlanInfo')['properties'] as object).toReversed(),
      )),
  ],
  ['required members in another order', (one) => turn(schemaOf(one, 'RequestInfo'), 'required')],
  [
    'an address may be longer',
    (one) => void (memberOf(one, 'RequestInfo', 'callback_url')['maxLength'] = 4096),
  ],
  ['an address may be empty', (one) => move(memberOf(one, 'RequestInfo', 'callback_url'), 'minLength')],
  ['a request may have any format', (one) => move(memberOf(one, 'SearchRequests', 'since'), 'format')],
  ['a choice in another order', (one) => turn(memberOf(one, 'RequestInfo', 'cpt_code_coverage'), 'anyOf')],
  [
    'null in a choice or in a list of types',
    (one) => {
      const codes = memberOf(one, 'RequestInfo', 'cpt_code_coverage');
      move(codes, 'anyOf');
      Object.assign(codes, { type: ['null', 'array'], items: { type: 'string' } });
    },
  ],
  [
    'a member refers to a component that is the same',
    ({ at }) => {
      at('document', 'components', 'schemas')['BirthDate'] = { type: 'string' };
      at('document', 'components', 'schemas', 'PatientInfo', 'properties')['dob'] = {
        $ref: '#/components/schemas/BirthDate',
      };
    },
  ],
  [
    'an answer that every operation shares',
    ({ at }) => {
      const responses = at('document', 'paths', '/requests/', 'post', 'responses');
      at('document', 'components', 'responses')['CreateConflict'] = responses['409'];
      responses['409'] = { $ref: '#/components/responses/CreateConflict' };
    },
  ],
  [
    'a new problem',
    ({ at }) =>
      void (at('registries', 'problems')['batch_full'] = {
        status: 409,
        trpcCode: 'CONFLICT',
        retryable: false,
      }),
  ],
  ['a new reason', ({ at }) => void (at('registries', 'reasons')['plan_unknown'] = { fixedBy: 'payer' })],
  ['a new JSON Schema', ({ at }) => void (at('jsonSchemas')['Sample'] = { type: 'object' })],
  [
    'a new fixture',
    ({ at }) =>
      void listAt(at('fixtures'), 'request-info').push({
        name: 'new',
        body: at('fixtures', 'request-info', 0)['body'],
      }),
  ],
  [
    'a new entry point',
    ({ at }) => void (at('packages', `${PACKAGES}/schema`, 'entryPoints')['./events'] = {}),
  ],
  [
    'a new export',
    ({ at }) =>
      void (at('packages', `${PACKAGES}/schema`, 'entryPoints', '.')['Sample'] = {
        kinds: ['type', 'value'],
      }),
  ],
  [
    'a type that is a model too',
    (one) => void (exported(one, 'schema', '.', 'ProblemFact')['kinds'] = ['type', 'value']),
  ],
  [
    'an optional argument',
    (one) =>
      void listAt(exported(one, 'client', '.', 'createRestClient'), 'parameters').push({
        name: 'clock',
        optional: true,
      }),
  ],
  [
    'a new option',
    (one) =>
      void listAt(exported(one, 'webhook', '.', 'AddressGuardOptions'), 'members').push({
        name: 'clock',
        optional: true,
      }),
  ],
  [
    'a new member of what is returned',
    (one) =>
      void listAt(exported(one, 'schema', '.', 'ProblemFact'), 'members').push({
        name: 'page',
        optional: false,
      }),
  ],
  ['an older Node too', ({ at }) => void (at('packages', `${PACKAGES}/schema`)['node'] = '>=18')],
  ['an older peer too', ({ at }) => void (at('packages', `${PACKAGES}/schema`, 'peers')['zod'] = '^4.0.0')],
];
