import { escapeHidden } from '@insurance-verification/schema';

/**
 * JSON that is safe on a terminal: also escapes what `JSON.stringify` leaves, but a terminal acts on (DEL, the C1
 * controls), reorders (bidirectional marks) or does not show. Parsing it yields the same value.
 */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).split('\n').map(escapeHidden).join('\n');
}
