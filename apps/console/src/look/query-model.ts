import { useSearchParams } from 'wouter';
import type * as z from 'zod';

/**
 * Filters and cursor of a list in the query string of the address, so that a view can be linked to and Back leads to
 * it. Parameters that the model does not have are ignored. A change of another parameter than the page leads to the first
 * page. No field of a model may hold patient data.
 */
export function useQueryModel<Model extends z.ZodObject>(
  model: Model,
): [z.output<Model>, (changes: Partial<z.output<Model>>) => void] {
  const [params, setParams] = useSearchParams();
  const known = Object.entries(model.shape).flatMap(([name, field]) => {
    const read = (field as z.ZodType).safeParse(params.get(name) ?? undefined);
    return read.success && read.data !== undefined ? [[name, read.data]] : [];
  });
  const change = (changes: Partial<z.output<Model>>) => {
    const after = new URLSearchParams(params);
    after.delete('cursor');
    after.delete('page');
    for (const [name, value] of Object.entries(changes))
      if (value === undefined || value === '') after.delete(name);
      else after.set(name, String(value));
    // A view that is on screen already is no step, which Back would have to take.
    if (after.toString() === params.toString()) return;
    setParams(after, { state: history.state as unknown }); // the page keeps its other state
  };
  return [Object.fromEntries(known) as z.output<Model>, change];
}
