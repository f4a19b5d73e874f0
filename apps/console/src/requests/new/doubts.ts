import { doubtfulMembers } from '@insurance-verification/schema';

/** The hint to a person who should check the field at a path, although the service accepts its value; null without one. */
export function doubtAt(path: string, typed: string): string | null {
  const value = typed.trim();
  if (value === '') return null;
  if (path === 'callback_url') return callbackDoubt(value);
  if (path === 'provider_info.npi' && !isNpi(value))
    return `${value} is no NPI: ten digits, and its last one is a check digit.`;
  return null;
}

function isNpi(npi: string): boolean {
  const asked = { patient_info: { subscriber_id: '', dob: '' }, provider_info: { npi } };
  return !doubtfulMembers(asked, '').includes('provider_info.npi');
}

/** Why nothing can or should be sent to an address; null for a good address, or without one. */
export function callbackDoubt(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { protocol, hostname, port } = new URL(address);
  if (protocol !== 'http:' && protocol !== 'https:') return null;
  if (port === '0') return 'Nothing listens on port 0.';
  if (isOwnMachine(hostname))
    return 'This is the service’s own machine: in production nothing is sent there.';
  if (isPrivate(hostname)) return 'Nothing is sent to a private address.';
  if (protocol === 'http:')
    return 'Write https: http can be read on the network, and in production nothing is sent to it.';
  return null;
}

/** As the browser writes a host, whichever way it was typed. */
const isOwnMachine = (host: string): boolean =>
  /^127\.|^\[::1\]$/.test(host) || /^(.+\.)?localhost\.?$/.test(host);

/** Networks that are not of the public internet, as the first address and the bits that they have in common. */
const PRIVATE: readonly (readonly [first: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

/** The service knows more of them, such as those within IPv6; it has the last word. */
function isPrivate(host: string): boolean {
  if (host.startsWith('[')) return !/^\[[23]/.test(host);
  if (!/^\d+\.\d+\.\d+\.\d+$/.test(host)) return false;
  return PRIVATE.some(([first, bits]) => numberOf(first) >>> (32 - bits) === numberOf(host) >>> (32 - bits));
}

const numberOf = (address: string): number =>
  address.split('.').reduce((number, part) => number * 256 + Number(part), 0);
