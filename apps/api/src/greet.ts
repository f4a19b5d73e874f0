import type { Config } from './config.ts';
import type { Service } from './start-service.ts';

/** Tells the person at the terminal where the service is and what to do first. On stderr: stdout is the log. */
export function greet({ url, madeApiKey, keptApiKeyPath }: Service, config: Config): void {
  const lines = [''];
  if (!config.roles.includes('http')) {
    lines.push(`  Insurance Verification Service: ${config.roles.join(', ')}`);
    if (url !== undefined) lines.push(`  Probes and metrics              ${url}`);
  } else if (url !== undefined) {
    lines.push(`  Insurance Verification Service  ${url}`, `  Documentation                   ${url}/docs`);
    if (madeApiKey !== null) lines.push('', `  API key, shown this once        ${madeApiKey}`);
    if (keptApiKeyPath !== undefined) lines.push(`  The key is kept in              ${keptApiKeyPath}`);
    if (!config.production)
      lines.push('', '  A first request:', '', ...firstRequest(url, config, keptApiKeyPath));
  }
  process.stderr.write(`${lines.join('\n')}\n\n`);
}

function firstRequest(url: string, config: Config, keyPath: string | undefined): string[] {
  const body = {
    patient_info: { subscriber_id: 'W123456789', dob: '1984-05-17', name: 'Jane Doe' },
    payer_info: { name: config.payers.names[0] },
    provider_info: { npi: '1234567893', name: 'Main Street Dental' },
    callback_url: 'http://127.0.0.1:4000/verified',
  };
  const key = keyPath === undefined ? '"$IV_API_KEY"' : `"$(cat ${keyPath})"`;
  return [
    `  curl ${url}/requests/ -H 'content-type: application/json' -H x-key:${key} \\`,
    `    -d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`,
  ];
}
