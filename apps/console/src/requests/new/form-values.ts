import type { FormField } from './form-fields.ts';

/** What is typed, by the paths of the fields. */
export type FormValues = Readonly<Record<string, string>>;

/** What is typed as the service takes it. A field that is left empty is left out, which the model judges. */
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

/** A request as it is typed. */
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
