import type { Config } from '../config/config.ts';
import { shellWord, shortPath } from './database/key-lines.ts';
import type { FirstKeys } from './database/open-first-keys.ts';

/** A first request to paste into the shell: for a member that the sandbox answers, if the test key is at hand. */
export function firstRequest(url: string, config: Config, { live, test }: FirstKeys): string[] {
  const inSandbox = test.path !== null;
  const path = test.path ?? live.path;
  const key = path === null ? '$IV_API_KEY' : `$(cat ${shellWord(shortPath(path))})`;
  const body = [
    `{"patient_info":{"subscriber_id":"${inSandbox ? 'TEST-ACTIVE' : 'W123456789'}",`,
    '  "dob":"1984-05-17","name":"Jane Doe"},',
    `"payer_info":{"name":${JSON.stringify(config.payers.names[0]).replaceAll("'", String.raw`'\''`)}},`,
    '"provider_info":{"npi":"1234567893","name":"Main Street Dental"},',
    `"callback_url":"http://127.0.0.1:4000/verified"}'`,
  ];
  const about = inSandbox
    ? ', of a member that the sandbox answers for'
    : path === null
      ? ', with a key in IV_API_KEY'
      : '';
  return [
    `  A first request${about}:`,
    '',
    `  curl ${url}/requests/ -H 'content-type: application/json' \\`,
    `    -H "x-key: ${key}" \\`,
    `    -d '${body.join('\n        ')}`,
  ];
}
