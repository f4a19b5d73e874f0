import type { Config } from '../config/config.ts';
import { arePlaceholders } from '../config/payers.ts';
import { type FirstKeys, keyLines, shellWord, shortPath } from './database/open-first-keys.ts';
import type { Service } from './start-service.ts';

type Started = Pick<Service, 'url' | 'metricsUrl' | 'firstKeys' | 'firstLink'>;

/** Prints the service's address and the first steps for the person at the terminal. On stderr: stdout is the log. */
export function printStartupSummary(service: Started, config: Config): void {
  process.stderr.write(`${startupSummary(service, config).join('\n')}\n\n`);
}

/** The startupSummary, starting with an empty line. It fits a terminal of 80 columns if the paths in it do. */
export function startupSummary({ url, metricsUrl, firstKeys, firstLink }: Started, config: Config): string[] {
  const lines = [''];
  if (!config.roles.includes('http')) {
    lines.push(`  Insurance Verification Service: ${config.roles.join(', ')}`);
    if (url !== undefined) lines.push(`  Probes                          ${url}`);
    const delivers = config.roles.includes('delivery');
    const notes = [...payersLines(config), ...(delivers ? callbacksLines(config) : [])];
    if (notes.length > 0) lines.push('', ...notes);
    lines.push(...metricsLines(url, metricsUrl, config));
  } else if (url !== undefined) {
    lines.push(`  Insurance Verification Service  ${url}`, `  Documentation                   ${url}/docs`);
    lines.push(`  MCP, for AI agents              ${url}/mcp`);
    lines.push('', ...consoleLines(url, firstLink, config), ...keyLines(firstKeys, config));
    lines.push(...payersLines(config), ...outputsLines(config), ...callbacksLines(config));
    lines.push(...metricsLines(url, metricsUrl, config));
    if (config.local) lines.push('', ...firstRequest(url, config, firstKeys));
  }
  return lines;
}

/** The way into the console: at the name by which a person knows this machine, if it leads here. */
function consoleLines(
  url: string,
  firstLink: string | null,
  { hasConsole, signInWay, publicUrl }: Config,
): string[] {
  if (hasConsole && signInWay !== 'link' && publicUrl) {
    const invites = "  The first person is invited by  iv staff add --name 'Ada Jones' --role admin";
    return [
      `  Console                         ${new URL('/console', publicUrl).href}`,
      ...(signInWay === 'passkey' ? [invites] : []),
      '',
    ];
  }
  if (firstLink === null) return [];
  const address = url.replace(/^http:\/\/(127\.0\.0\.1|\[::1\]):/, 'http://localhost:');
  return [
    '  Console, signed in once by this link, within 30 minutes:',
    `  ${address}/console/in#${firstLink}`,
    '',
  ];
}

/** Warns of placeholder payers: production refuses them, anywhere else they would go unnoticed. */
function payersLines({ payers }: Config): string[] {
  if (!arePlaceholders(payers)) return [];
  return wrapped(
    'Payers: placeholder names, for a first run; production needs yours in PAYERS or PAYERS_FILE.',
  );
}

/** Whose outputs the process trusts, and why: a person must see at the start if it is not what they meant. */
function outputsLines(config: Config): string[] {
  const { production, outputTrust, outputTrustIsChosen } = config;
  const senders = outputTrust === 'keyed' ? "only with a verifier's key" : 'without a key too';
  const reason = outputTrustIsChosen
    ? `VERIFICATION_OUTPUT_TRUST is ${outputTrust}`
    : production
      ? 'NODE_ENV is production'
      : config.local
        ? 'HOST is loopback'
        : whyNotLocal(config);
  return wrapped(`Outputs: ${senders}, since ${reason}.`);
}

const whyNotLocal = ({ onLoopback }: Config): string =>
  onLoopback ? 'PUBLIC_URL is https' : 'HOST is not loopback';

function callbacksLines({ allowCidrs }: Config): string[] {
  const networks = allowCidrs.length === 0 ? ' alone' : ` and ${allowCidrs.join(', ')}`;
  return wrapped(`Callbacks: to public addresses${networks}.`);
}

function metricsLines(url: string | undefined, metricsUrl: string | undefined, config: Config): string[] {
  const guarded = config.metricsToken === undefined ? '' : ', with the token';
  if (metricsUrl !== undefined) return wrapped(`Metrics: ${metricsUrl}/metrics${guarded}.`);
  if (url === undefined) return [];
  return wrapped(
    config.metricsAtPort
      ? `Metrics: ${url}/metrics${guarded}.`
      : `Metrics: not served, since ${whyNotLocal(config)}; set METRICS_PORT or METRICS_TOKEN.`,
  );
}

/** A first request to paste into the shell: for a member that the sandbox answers, if the test key is at hand. */
function firstRequest(url: string, config: Config, { live, test }: FirstKeys): string[] {
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

/** Characters per line: terminals open with 80 columns. */
const WIDTH = 80;

/** Wraps a sentence for the startupSummary: the first line indented by two spaces, further lines by four. */
function wrapped(sentence: string): string[] {
  const lines: string[] = [];
  let line = ' ';
  for (const word of sentence.split(' ')) {
    if (line.trim() !== '' && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = '   ';
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}
