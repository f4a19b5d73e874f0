import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import * as z from 'zod';
import { api } from '../api/api.ts';
import { Button } from '../look/button.tsx';
import { Empty } from '../look/empty.tsx';
import { Field, TextInput } from '../look/field.tsx';
import { Loaded } from '../look/loaded.tsx';
import { Mark } from '../look/mark.tsx';
import { Page } from '../look/page.tsx';
import { Pager } from '../look/pager.tsx';
import { SkeletonRows } from '../look/skeleton.tsx';
import css from '../look/table.module.css';
import { Table } from '../look/table.tsx';
import { textOf } from '../look/text-of.ts';
import { Time } from '../look/time.tsx';
import { useQueryModel } from '../look/use-query-model.ts';

const id = () => z.string().min(1).optional();
const Filters = z.object({
  key_id: id(),
  operation: id(),
  request_id: id(),
  subject_id: id(),
  cursor: z.string().optional(),
});

const FIELDS = [
  ['key_id', 'Who', 'stf_… or key_…'],
  ['operation', 'Operation', 'requests.get'],
  ['request_id', 'Request', 'req_…'],
  ['subject_id', 'Done to', 'acc_…, key_…, held_…'],
] as const;

/** Who did or saw what, newest first. */
export function AuditPage() {
  const [filters, change] = useQueryModel(Filters);
  const query = useQuery({
    queryKey: ['audit.list', filters],
    queryFn: ({ signal }) => api.audit.list.query({ ...filters, limit: 100 }, { signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title="Audit">
      <form
        className={css.filters}
        key={JSON.stringify(filters)}
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          const typed = FIELDS.map(([name]) => [name, textOf(form, name).trim() || undefined]);
          change({ ...Object.fromEntries(typed), cursor: undefined });
        }}
      >
        {FIELDS.map(([name, label, hint]) => (
          <Field key={name} label={label} htmlFor={name}>
            <TextInput
              id={name}
              name={name}
              defaultValue={filters[name] ?? ''}
              placeholder={hint}
              autoComplete="off"
              spellCheck={false}
            />
          </Field>
        ))}
        <Button type="submit">Show</Button>
      </form>
      <Loaded query={query} what="list" skeleton={<SkeletonRows count={14} />}>
        {({ items, next_cursor: next }) => (
          <>
            {items.length === 0 && next === null ? (
              <Empty title="No line of the audit meets this">
                Every call that reads or changes something leaves one, with who made it. Take a filter away.
              </Empty>
            ) : (
              <Table
                caption="The audit, newest first"
                columns={['When', 'Who', 'Operation', 'Request', 'Done to']}
              >
                {items.map((line) => (
                  <tr key={line.audit_id}>
                    <td>
                      <Time at={line.at} />
                    </td>
                    <td>
                      <code>{line.key_id ?? 'nobody known'}</code>
                    </td>
                    <td>
                      {line.operation}
                      {line.emergency && <Mark tone="bad">Emergency access</Mark>}
                      {line.reason !== null && <p>{line.reason}</p>}
                    </td>
                    <td>
                      {line.request_id !== null && (
                        <Link href={`/audit?request_id=${line.request_id}`}>
                          <code>{line.request_id}</code>
                        </Link>
                      )}
                    </td>
                    <td>
                      <code>{line.subject_id ?? ''}</code>
                    </td>
                  </tr>
                ))}
              </Table>
            )}
            <Pager cursor={filters.cursor} next={next} onGo={(cursor) => change({ cursor })} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
