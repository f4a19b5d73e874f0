import { setTimeout } from 'node:timers/promises';
import {
  type DemoDay,
  type RequestInfo,
  type RequestModel,
  type ResponseModel,
  VerificationSource,
} from '@insurance-verification/schema';
import {
  acceptOutput,
  addStaff,
  type Caller,
  claimRequest,
  createDemoAccounts,
  removeDemoAccounts,
  startCall,
} from '@insurance-verification/store';
import { createWebhookSecret } from '@insurance-verification/webhook';
import type { App } from '../procedure/context/app.ts';
import { nothingHere } from '../procedure/problem.ts';
import type { Handler } from '../procedure/procedure.ts';

/** Makes a day of three clinics in test accounts, with requests in every state. */
export const playDemoDay: Handler<'demo.playDay'> = async ({ ctx: { app, caller } }) => {
  const address = app.ownAddress();
  if (!app.config.local || address === undefined) throw nothingHere();
  return oneAtATime(() => makeDay(app, caller, address));
};

/** Who works on the day's requests, and is named by every page. */
const COLLEAGUES = ['Vera Lind (demo)', 'Omar Haddad (demo)'] as const;

/** The two colleagues as callers. */
type Colleagues = readonly [Caller, Caller];

/** Adds the colleagues to a clinic, with which they are deleted. They have no link: no one signs in as them. */
async function addColleagues(app: App, caller: Caller, accountId: string): Promise<Colleagues> {
  const add = async (name: string): Promise<Caller> => {
    const person = { caller, name, roles: ['requester'], accountId } as const;
    const added = await addStaff(app.store, person);
    if (added.kind !== 'added') throw new Error(`A colleague was not added: ${added.kind}.`);
    const by = { name, sessionId: null, address: null, isEmergency: false };
    return { keyId: added.member.staff_id, accountId, mode: 'test', acrossAccounts: true, by };
  };
  return [await add(COLLEAGUES[0]), await add(COLLEAGUES[1])];
}

/** Deletes the day before, makes the clinics and their requests, and does what colleagues do. @param address of this process. */
async function makeDay(app: App, caller: Caller, address: string): Promise<DemoDay> {
  await removeDemoAccounts(app.store, { caller });
  const accountIds = await createDemoAccounts(app.store, { caller, names: CLINICS, createWebhookSecret });
  const [first = ''] = accountIds;
  const colleagues = await addColleagues(app, caller, first);
  const called: RequestModel[] = [];
  for (const { clinic, payer, end, input } of DEMO_REQUESTS) {
    const accountId = accountIds[clinic] ?? first;
    const payerName = app.config.payers.names[payer] ?? app.config.payers.names[0];
    const inserted = await app.insertRequest({
      caller: { ...caller, accountId, mode: 'test' },
      payerId: app.config.payers.idOf(payerName),
      idempotencyKey: null,
      neededBy: end === 'overdue' ? new Date(Date.now() - 2 * 3_600_000) : null,
      input: {
        ...input,
        payer_info: { name: payerName },
        callback_url: `${address}${DEMO_RECEIVER_PATH}/${end === 'given_up' ? 'gone' : accountId}`,
      },
    });
    if (!('request' in inserted)) throw new Error('A demo has no idempotency key.');
    await bringAbout(app, colleagues, end, inserted.request);
    if (end === 'on_a_call') called.push(inserted.request);
  }
  app.wakeVerification();
  app.wakeDelivery();
  // Without the sandbox at work here, its requests are never left to a colleague.
  if (app.config.roles.includes('verification'))
    for (const request of called) await call(app, colleagues[0], request);
  return { account_id: first, request_count: DEMO_REQUESTS.length };
}

/** Does what colleagues do with a request whose end the sandbox does not bring about. */
async function bringAbout(
  app: App,
  [one, other]: Colleagues,
  end: DemoEnd,
  request: RequestModel,
): Promise<void> {
  if (end === 'mismatch') return submit(app, one, withOtherMember(anAnswer(request, 'Active')));
  if (end !== 'contested') return;
  await submit(app, one, anAnswer(request, 'Active'));
  await submit(app, other, anAnswer(request, 'Inactive'));
}

/** Takes a request up and is on the phone. The sandbox looks at it first, and leaves it a moment later. */
async function call(app: App, caller: Caller, { request_id: id }: RequestModel): Promise<void> {
  const requestId = id ?? '';
  const claim = {
    caller,
    requestId,
    routes: app.config.payers.routes,
    channels: VerificationSource.options,
    leaseSeconds: app.config.workLeaseSeconds,
  };
  for (let tries = 0; tries < 25; tries += 1) {
    const claimed = await claimRequest(app.store, claim);
    if (claimed.kind === 'claimed') {
      const { leaseToken } = claimed.work;
      await startCall(app.store, { caller, requestId, leaseToken, sessionId: undefined, place: 'phone' });
      return;
    }
    await setTimeout(200);
  }
  app.log.warn('the demo day has no call under way: the sandbox did not leave its request');
}

async function submit(app: App, caller: Caller, output: ResponseModel): Promise<void> {
  const payerId = app.config.payers.idOf(output.request.input.payer_info.name);
  const submitted = { output, payerId, caller, client: null, trusted: true, holdsAgentResults: false };
  await acceptOutput(app.store, submitted, app.localWorker);
}

function anAnswer(request: RequestModel, status: 'Active' | 'Inactive'): ResponseModel {
  const { input } = request;
  const year = new Date().getUTCFullYear();
  return {
    request: { ...request, state: 'complete' },
    insurance_data: [
      {
        person_uuid: 'demo-person',
        verification_time: new Date().toISOString(),
        verification_source: 'manual_phone_call',
        notes:
          status === 'Active' ? 'Active, said the payer.' : 'Ended with the last employer, said the payer.',
        patient_info: input.patient_info,
        plan_info: {
          payer_name: input.payer_info.name,
          plan_name: 'Dental PPO 1500',
          eligibility_status: status,
          start_date: `${year}-01-01`,
          end_date: status === 'Active' ? null : `${year}-06-30`,
          cpt_code_coverage: status === 'Active' ? (input.cpt_code_coverage ?? null) : null,
        },
      },
    ],
  };
}

/** The same answer with two digits of the member id swapped, as somebody types it. */
function withOtherMember({ request, insurance_data: entries }: ResponseModel): ResponseModel {
  const { subscriber_id: id } = request.input.patient_info;
  const patient_info = {
    ...request.input.patient_info,
    subscriber_id: `${id.slice(0, -2)}${id.at(-1)}${id.at(-2)}`,
  };
  return {
    request: { ...request, input: { ...request.input, patient_info } },
    insurance_data: entries.map((entry) => ({ ...entry, patient_info })),
  };
}

/** The clinics of a demo day; their accounts are test accounts. */
const CLINICS = ['Bayside Dental (demo)', 'Elm Street Family (demo)', 'Harbor Orthodontics (demo)'];

/**
 * What becomes of a request of the day.
 *
 * | end          | how                                                                                     |
 * |--------------|-----------------------------------------------------------------------------------------|
 * | `delivered`  | the sandbox answers its member id, and the service's own receiver takes the webhook     |
 * | `given_up`   | as above, but the receiver answers 410                                                  |
 * | `waiting`    | no member id of the sandbox: it waits for a verifier                                    |
 * | `overdue`    | as above, needed two hours ago                                                          |
 * | `on_a_call`  | as above, and a colleague is on the phone with the payer                                |
 * | `mismatch`   | as above, and an output about another member id is held                                 |
 * | `contested`  | a colleague's result is accepted, and a second one that differs is held                 |
 */
type DemoEnd = 'delivered' | 'given_up' | 'waiting' | 'overdue' | 'on_a_call' | 'mismatch' | 'contested';

interface DemoRequest {
  readonly clinic: number;
  readonly payer: number;
  readonly end: DemoEnd;
  readonly input: Omit<RequestInfo, 'payer_info' | 'callback_url'>;
}

const COUNTS: readonly (readonly [member: string, count: number, end: DemoEnd])[] = [
  ['TEST-BENEFITS-DENTAL', 6, 'delivered'],
  ['TEST-BENEFITS-MEDICAL', 2, 'delivered'],
  ['TEST-BENEFITS-MEDICARE', 1, 'delivered'],
  ['TEST-ACTIVE', 3, 'delivered'],
  ['TEST-INACTIVE', 2, 'delivered'],
  ['TEST-SEVERAL', 1, 'delivered'],
  ['TEST-MEMBER-NOT-FOUND', 2, 'delivered'],
  ['TEST-DOB-MISMATCH', 1, 'delivered'],
  ['TEST-PAYER-UNAVAILABLE', 1, 'delivered'],
  ['TEST-BENEFITS-DENTAL', 2, 'given_up'],
  ['TEST-ACTIVE', 3, 'given_up'],
  ['', 7, 'waiting'],
  ['', 3, 'overdue'],
  ['', 1, 'on_a_call'],
  ['', 3, 'mismatch'],
  ['', 2, 'contested'],
];

const FIRST_NAMES = ['Maria', 'James', 'Aisha', 'Wei', 'Olga', 'Carlos', 'Hannah'];
const LAST_NAMES = ['Santos', 'Miller', 'Khan', 'Chen', 'Novak', 'Reyes'];
const PROVIDERS = [
  { npi: '1234567893', name: 'Dr. Ana Roe', organization_name: 'Bayside Dental' },
  { npi: '1245319599', name: 'Dr. Paul Wirth', organization_name: 'Elm Street Family Dentistry' },
  { npi: '1003000126', name: 'Dr. Lena Bauer', organization_name: 'Harbor Orthodontics' },
];
const CODES = [['D0120', 'D1110'], ['D2740'], ['D8080', 'D0120'], ['D1110']];

const ENDS = COUNTS.flatMap(([member, count, end]) => Array.from({ length: count }, () => ({ member, end })));

/** The requests of the day, clinic by clinic. Their patients are invented. */
const DEMO_REQUESTS: readonly DemoRequest[] = PROVIDERS.flatMap((provider_info, clinic) =>
  ENDS.flatMap(({ member, end }, index) => {
    if (index % PROVIDERS.length !== clinic) return [];
    const patient_info = {
      subscriber_id: member || `W${100_200_345 + index * 1_117}`,
      dob: `19${60 + (index % 40)}-0${1 + (index % 9)}-1${index % 10}`,
      name: `${FIRST_NAMES[index % FIRST_NAMES.length]} ${LAST_NAMES[index % LAST_NAMES.length]}`,
    };
    const cpt_code_coverage = CODES[index % CODES.length];
    return [{ clinic, payer: index % 4, end, input: { patient_info, provider_info, cpt_code_coverage } }];
  }),
);

/** Where the demo's webhook goes: this process, which checks its signature. */
export const DEMO_RECEIVER_PATH = '/demo/receiver';

let last: Promise<unknown> = Promise.resolve();

/**
 * Plays and deletions of the demo day run one after the other: a second one would delete accounts that the first is still
 * creating. Only the single process of a laptop plays a demo.
 */
export function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  const mine = last.then(work, work);
  last = mine.catch(() => undefined);
  return mine;
}
