import * as z from 'zod';
import { type Fault, textField } from './text-and-number.ts';

const networks = z.union([z.cidrv4(), z.cidrv6()]);

/** Of eight groups of four digits, their colons, a slash and three digits. */
const LENGTH_MAX = 43;

/** A network: an IPv4 or IPv6 address, a slash, and the number of significant leading bits. */
export function cidr() {
  return textField(readCidr, {
    format: 'cidr',
    minLength: 4,
    maxLength: LENGTH_MAX,
    description: 'A network, such as 203.0.113.0/24.',
  });
}

function readCidr(value: unknown): string | Fault {
  if (typeof value !== 'string') return { type: 'string_type', msg: 'Input should be a valid string' };
  if (networks.safeParse(value).success) return value;
  return { type: 'cidr', msg: 'Input should be a network in CIDR notation, such as 203.0.113.0/24' };
}
