/** The encryption context of an attempt's response snippet. The start time distinguishes a delivery's attempts. */
export function snippetPlace(deliveryId: string, startedAt: Date): string {
  return `delivery_attempt.response_snippet:${deliveryId}.${startedAt.toISOString()}`;
}
