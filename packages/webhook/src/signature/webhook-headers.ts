/**
 * The header names that deliveries carry, in lower case as sent. The first three are those of Standard Webhooks
 * 1.0.
 *
 * - `id`: the message's id, the same on every attempt: deduplicate on it.
 * - `timestamp`: Unix seconds of this attempt, not of the message.
 * - `signature`: one or more signatures over `id.timestamp.body`, separated by spaces.
 * - `verificationVersion`: the version of the result, a decimal counting up from 1. It is not signed, and a correction
 *   has its own message id: use it only to distinguish a late first version from its correction.
 * - `verificationBenefits`: where the benefits of this version are read, as the path of a GET; absent where it came
 *   without. Not signed: read it at the service that you know, never at another host.
 */
export const WEBHOOK_HEADERS = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
  verificationVersion: 'verification-version',
  verificationBenefits: 'verification-benefits',
} as const;
