import type { Config } from './config.ts';
import type { Service } from './start-service.ts';

/** Tells the person at the terminal where the service is and what to do first. On stderr: stdout is the log. */
export function greet(service: Service, config: Config): void {
  process.stderr.write(`${greeting(service, config).join('\n')}\n\n`);
}

/** The lines, from an empty one on. */
export function greeting({ url, metricsUrl, madeApiKey, keptApiKeyPath }: Service, config: Config): string[] {
  const lines = [''];
  if (!config.roles.includes('http')) {
    lines.push(`  Insurance Verification Service: ${config.roles.join(', ')}`);
    if (url !== undefined) lines.push(`  Probes                          ${url}`);
    if (config.roles.includes('delivery')) lines.push('', callbacksLine(config));
    lines.push(...metricsLines(url, metricsUrl, config));
  } else if (url !== undefined) {
    lines.push(`  Insurance Verification Service  ${url}`, `  Documentation                   ${url}/docs`);
    if (madeApiKey !== null) lines.push('', `  API key, shown this once        ${madeApiKey}`);
    if (keptApiKeyPath !== undefined) lines.push(`  The key is kept in              ${keptApiKeyPath}`);
    lines.push('', outputsLine(config), callbacksLine(config), ...metricsLines(url, metricsUrl, config));
    if (config.local) lines.push('', '  A first request:', '', ...firstRequest(url, config, keptApiKeyPath));
  }
  return lines;
}

/** Whom the process believes, and why: a person must see at the start that it is not what they meant. */
function outputsLine({ production, onLoopback, outputTrust, outputTrustIsChosen }: Config): string {
  const senders = outputTrust === 'keyed' ? "only with a verifier's key" : 'without a key too';
  if (outputTrustIsChosen) return `  Outputs: ${senders}, since VERIFICATION_OUTPUT_TRUST is ${outputTrust}.`;
  if (production) return `  Outputs: ${senders}, since NODE_ENV is production.`;
  return `  Outputs: ${senders}, since HOST is ${onLoopback ? '' : 'not '}loopback.`;
}

function callbacksLine({ allowCidrs }: Config): string {
  const networks = allowCidrs.length === 0 ? ' alone' : ` and ${allowCidrs.join(', ')}`;
  return `  Callbacks: to public addresses${networks}.`;
}

function metricsLines(url: string | undefined, metricsUrl: string | undefined, config: Config): string[] {
  const guarded = config.metricsToken === undefined ? '' : ', with the token';
  if (metricsUrl !== undefined) return [`  Metrics: ${metricsUrl}/metrics${guarded}.`];
  if (url === undefined) return [];
  return [
    config.metricsAtPort
      ? `  Metrics: ${url}/metrics${guarded}.`
      : '  Metrics: not served, since HOST is not loopback; set METRICS_PORT or METRICS_TOKEN.',
  ];
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
