import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
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
import { inherited } from '@insurance-verification/testing/inherited';
import { type Command, serviceCommand } from '@insurance-verification/testing/start-service-process';
import { until } from '@insurance-verification/testing/until';
import { aClientAddress } from './a-client-address.ts';

const PAYER = 'Bluefield Dental PPO';

export const API_KEY = 'bootstrap-key-of-the-console-tests-0123456789';

export const ENCRYPTION_KEY = `k1:${Buffer.alloc(32, 1).toString('base64')}`;

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
  /** Ends it without a drain. */
  kill(): Promise<void>;
}

/** The service in a process of its own; resolves when its console is served. */
export async function startService(env: Record<string, string> = {}): Promise<TestService> {
  const connectionString = env['DATABASE_URL'] ?? (await createTestDatabase()).connectionString;
  const dataDir = aFolder();
  const payersFile = join(dataDir, 'payers.json');
  writeFileSync(payersFile, JSON.stringify({ payers: PAYERS }));
  const command = await serviceCommand();
  const environment = {
    ...inherited(),
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: connectionString,
    ENCRYPTION_KEY,
    AUDIT_SEAL_KEY: createSealKey(),
    BOOTSTRAP_API_KEY: API_KEY,
    PAYERS_FILE: payersFile,
    LOG_LEVEL: 'error',
    TRUSTED_PROXIES: '127.0.0.0/8,::1/128',
    ...env,
  };
  let child = run(command, environment);
  const local = await said(child, GREETING);
  const url = local.replace('127.0.0.1', 'localhost');
  await untilServed(`${url}/console`);
  const client = createRestClient({ url: local, apiKey: API_KEY });
  return {
    url,
    client,
    databaseUrl: connectionString,
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
    restart: async () => {
      await end(child, 'SIGTERM');
      child = run(command, { ...environment, PORT: new URL(local).port });
      await said(child, GREETING);
    },
    stop: () => end(child, 'SIGTERM'),
    kill: () => end(child, 'SIGKILL'),
  };
}

const GREETING = /Insurance Verification Service +(http:\S+)/;

const run = ([node, ...args]: Command, env: NodeJS.ProcessEnv): ChildProcess =>
  spawn(node, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** A build says itself when it is done, or why it never will be. */
function untilServed(address: string): Promise<true> {
  return until('the console is built', async () => {
    const answer = await fetch(address);
    const text = await answer.text();
    if (answer.status !== 200 && !text.includes('being built')) throw new Error(text);
    return answer.status === 200;
  });
}

function said(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      text += String(chunk);
      const found = pattern.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.stderr?.once('end', () => reject(new Error(`It ended without saying ${pattern}: ${text}`)));
  });
}
