import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRestClient, type RestClient } from '@insurance-verification/client';
import type {
  AddedStaff,
  AddStaff,
  RequestInfo,
  RequestModel,
  SheetRow,
} from '@insurance-verification/schema';
import { createSealKey } from '@insurance-verification/store';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { startServiceHere } from '@insurance-verification/testing/start-service-here';
import { API_KEY, startServiceProcess } from '@insurance-verification/testing/start-service-process';
import { until } from '@insurance-verification/testing/until';
import { aClientAddress } from './a-client-address.ts';

const PAYER = 'Bluefield Dental PPO';

/** A payer at whose portal agents look first; what they find is held. */
export const AGENTS_PAYER = 'Harbor Community Care';

/** A payer whose phone is not answered today or tomorrow. */
export const CLOSED_PAYER = 'Meridian Health Plan';

/** The day of the week three days from now. */
const IN_THREE_DAYS =
  ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'][(new Date().getUTCDay() + 3) % 7] ?? '';

/** A payer with questions of its own. */
export const OWN_SHEET_PAYER = 'Northstar Mutual';

const OWN_SHEET: SheetRow[] = [
  {
    id: 'crown',
    label: 'Crowns: patient pays',
    reads: 'percent',
    says: { kind: 'coinsurance', service: { procedure: { system: 'cdt', code: 'D2750' } } },
  },
  {
    id: 'implants',
    label: 'Implants: y or n',
    reads: 'yes_no',
    yes: { kind: 'active', service: { procedure: { system: 'cdt', code: 'D6010' } } },
    no: { kind: 'not_covered', service: { procedure: { system: 'cdt', code: 'D6010' } } },
  },
];

const PAYERS = [PAYER, CLOSED_PAYER, OWN_SHEET_PAYER, AGENTS_PAYER].map((name, index) => ({
  id: `payer-${index + 1}`,
  name,
  channels: [name === AGENTS_PAYER ? 'agent_web_portal' : 'manual_web_portal', 'manual_phone_call'],
  ...(name === AGENTS_PAYER && { agent_results: 'held' }),
  ...(name === OWN_SHEET_PAYER && { sheet: OWN_SHEET }),
  ...(name === CLOSED_PAYER && {
    time_zone: 'America/Chicago',
    hours: { [IN_THREE_DAYS]: ['08:00-18:00'] },
    phones: [{ purpose: 'claims', number: '+1 800 555 0143' }],
    menu_path_changed_on: '2026-09-01',
  }),
  phone_number: '+1 800 555 0142',
  menu_path: '2, then 1, then say “eligibility”',
  portal_url: 'https://portal.example/eligibility',
  notes: 'Have the NPI at hand.',
}));

export interface TestService {
  readonly url: string;
  readonly client: RestClient;
  readonly databaseUrl: string;
  /** The address of a link that signs a new person of these roles in. */
  link(roles: AddStaff['roles'], name?: string): Promise<string>;
  aRequest(changes?: Partial<RequestInfo>): Promise<RequestModel & { request_id: string }>;
  /** Ends the service, and starts it again at the same address. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** The service, once its console is served. */
export async function startService(given: Record<string, string> = {}): Promise<TestService> {
  const ground = await aGround(given);
  const start = async (port: number) => {
    const service = await startServiceHere({ ...ground, port });
    await service.openConsole();
    return service;
  };
  let running = await start(ground.port);
  return {
    ...testService(running.url, ground.databaseUrl),
    restart: async () => {
      await running.stop();
      running = await start(Number(new URL(running.url).port));
    },
    stop: () => running.stop(),
  };
}

/** The service in a process of its own, which can be killed. */
export async function startServiceToKill(
  given: Record<string, string> = {},
): Promise<Omit<TestService, 'restart'> & { kill(): Promise<void> }> {
  const ground = await aGround(given);
  const { url, stop, kill } = await startServiceProcess(ground);
  await until('the console is served', async () => (await fetch(`${url}/console`)).status === 200);
  return { ...testService(url, ground.databaseUrl), stop: async () => void (await stop()), kill };
}

async function aGround({ DATABASE_URL: given, PORT: port = '0', ...env }: Record<string, string>) {
  const dataDir = aFolder();
  const payersFile = join(dataDir, 'payers.json');
  writeFileSync(payersFile, JSON.stringify({ payers: PAYERS }));
  return {
    databaseUrl: given ?? (await createTestDatabase()).connectionString,
    dataDir,
    port: Number(port),
    env: {
      AUDIT_SEAL_KEY: createSealKey(),
      PAYERS_FILE: payersFile,
      TRUSTED_PROXIES: '127.0.0.0/8,::1/128',
      ...env,
    },
  };
}

function testService(local: string, databaseUrl: string): Omit<TestService, 'restart' | 'stop'> {
  const url = local.replace('127.0.0.1', 'localhost');
  const client = createRestClient({ url: local, apiKey: API_KEY });
  return {
    url,
    client,
    databaseUrl,
    link: async (roles, name = `A ${roles.join(', ')}`) => {
      const answer = await fetch(`${local}/staff`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-key': API_KEY, ...aClientAddress() },
        body: JSON.stringify({ name, roles }),
      });
      const { link } = (await answer.json()) as AddedStaff;
      if (!link) throw new Error(`No link was made: ${answer.status}.`);
      return `${url}${link.path}`;
    },
    aRequest: async (changes) => {
      const request = await client.requests.create({
        patient_info: { subscriber_id: 'W123456789', dob: '1984-05-17', name: 'Jane Doe' },
        payer_info: { name: PAYER },
        provider_info: { npi: '1234567893', name: 'Dr. Roe', organization_name: 'Main Street Dental' },
        callback_url: 'http://127.0.0.1:9/verified',
        ...changes,
      });
      return { ...request, request_id: request.request_id ?? '' };
    },
  };
}
