/** The encryption context of an attempt's response snippet. The start time tells a delivery's attempts apart. */
export function snippetPlace(deliveryId: string, startedAt: Date): string {
  return `delivery_attempt.response_snippet:${deliveryId}.${startedAt.toISOString()}`;
}
