/** A copy of an OpenAPI document in which each operation has its answers themselves, and no reference to a shared one. */
// oxlint-disable-next-line typescript/no-explicit-any -- each test reads another part of the document
export function withWholeAnswers(document: any): any {
  const whole = structuredClone(document);
  for (const methods of Object.values<Record<string, { responses: Record<string, { $ref?: string }> }>>(
    whole.paths,
  ))
    for (const { responses } of Object.values(methods))
      for (const [status, { $ref: ref }] of Object.entries(responses))
        if (ref !== undefined) responses[status] = whole.components.responses[ref.split('/').at(-1) ?? ''];
  return whole;
}
