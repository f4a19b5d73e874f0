import { type AddressParts } from '../../parts/parts.ts';

/** `12 Main St, Apt 4, Springfield, IL 62701`, possibly over several lines. Null for any other form: an address rarely helps. */
export function splitAddress(text: string): AddressParts | null {
  const parts = text
    .split(/[,\n]/)
    .map((part) => part.trim().replaceAll(/\s+/g, ' '))
    .filter((part) => part !== '');
  const place = /^([A-Za-z]{2}) (\d{5}(?:-?\d{4})?)$/.exec(parts.slice(-1)[0] ?? '');
  const [city, ...lines] = parts.slice(0, -1).toReversed();
  if (!place || city === undefined || lines.length === 0) return null;
  const [, state = '', postalCode = ''] = place;
  return {
    lines: lines.toReversed(),
    city,
    state: state.toUpperCase(),
    postalCode: postalCode.replace('-', ''),
  };
}
