/** Where an attempt's sealed response snippet is at home: an attempt is told from a delivery's others by its start. */
export function snippetPlace(deliveryId: string, startedAt: Date): string {
  return `delivery_attempt.response_snippet:${deliveryId}.${startedAt.toISOString()}`;
}
