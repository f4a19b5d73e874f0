import type { FormField } from './form-fields.ts';

/** The typed texts by the paths of their fields. */
export type FormValues = Readonly<Record<string, string>>;

/** The input of `requests.create`. An empty field is left out; the model decides whether it may be. */
export function bodyOf(fields: readonly FormField[], values: FormValues): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const { path, kind } of fields) {
    const [group = '', key] = path.split('.');
    const holder = key === undefined ? body : ((body[group] ??= {}) as Record<string, unknown>);
    const value = (values[path] ?? '').trim();
    if (value === '') continue;
    holder[key ?? group] = kind === 'list' ? value.split(/[\s,;]+/).filter((one) => one !== '') : value;
  }
  return body;
}

/** The typed texts for the input of an existing request. */
export function valuesOf(fields: readonly FormField[], input: Readonly<Record<string, unknown>>): FormValues {
  return Object.fromEntries(
    fields.map(({ path }) => {
      const value = path
        .split('.')
        .reduce<unknown>((holder, key) => (holder as Record<string, unknown>)?.[key], input);
      return [path, Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : ''];
    }),
  );
}
