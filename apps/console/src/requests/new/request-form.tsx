import {
  type RequestInfo,
  type Schemas,
  toValidationErrors,
  type ValidationError,
} from '@insurance-verification/schema';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { api } from '../../api/api.ts';
import { failureOf } from '../../api/failure.ts';
import { Button } from '../../look/button/button.tsx';
import { Field, Select, TextInput } from '../../look/form/field.tsx';
import { FailureNotice } from '../../look/state/failure-notice.tsx';
import { Notice } from '../../look/state/notice.tsx';
import { type FormField, formGroups } from './form-fields.ts';
import { bodyOf, type FormValues, valuesOf } from './form-values.ts';
import css from './new-request.module.css';
import { HINTS, wordOf } from './words.ts';

interface RequestFormProps {
  readonly model: Schemas['RequestInfo'];
  /** The input of an earlier request; null for an empty form. */
  readonly earlier: RequestInfo | null;
  /** The id of the earlier request. */
  readonly from: string | undefined;
}

/**
 * A form made from the model `RequestInfo`, validated before it is sent. Its Idempotency-Key is made once, so that a
 * form that is sent twice creates one request.
 */
export function RequestForm({ model, earlier, from }: RequestFormProps) {
  const groups = useMemo(() => formGroups(model), [model]);
  const fields = useMemo(() => groups.flatMap((group) => group.fields), [groups]);
  const [values, setValues] = useState<FormValues>(() => (earlier ? valuesOf(fields, earlier) : {}));
  const [key, setKey] = useState(() => crypto.randomUUID());
  const [faults, setFaults] = useState<readonly ValidationError[]>([]);
  const form = useRef<HTMLFormElement>(null);
  const [, go] = useLocation();
  const create = useMutation({
    mutationFn: (body: RequestInfo) => api.requests.create.mutate(body, { context: { idempotencyKey: key } }),
    onSuccess: ({ request_id: id }) => go(`/requests/${id}`, { replace: true }),
    onError: (err) => tell(failureOf(err).faults),
  });
  const isTyped = Object.values(values).some((value) => value !== '');
  const isSent = create.isSuccess;
  useEffect(() => {
    if (!isTyped || isSent) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isTyped, isSent]);
  /** Shows the faults and focuses the first of their fields. */
  const tell = (found: readonly ValidationError[]) => {
    setFaults(found);
    const first = fields.find(({ path }) => faultAt(found, path) !== undefined);
    if (first) form.current?.querySelector<HTMLElement>(`[name="${first.path}"]`)?.focus();
  };
  const send = () => {
    const body = bodyOf(fields, values);
    const { data, error } = model.safeParse(body);
    if (error) return tell(toValidationErrors(error.issues, body));
    setFaults([]);
    return create.mutate(data);
  };
  const wasSent = faults.some(({ type }) => type === 'idempotency_key_reused');
  const elsewhere = faults.filter(({ loc }) => !fields.some(({ path }) => isAt(loc, path)));
  return (
    <form
      ref={form}
      className={css.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!create.isPending) send();
      }}
    >
      {from !== undefined && (
        <p>
          With what <Link href={`/requests/${from}`}>{from}</Link> has; change what is new.
        </p>
      )}
      {wasSent ? (
        <Notice
          tone="warn"
          action={
            <Button
              onClick={() => {
                setKey(crypto.randomUUID());
                setFaults([]);
                create.reset();
              }}
            >
              Make this another request
            </Button>
          }
        >
          This form was sent before it was changed, and made a request. See the{' '}
          <Link href="/requests">list</Link>.
        </Notice>
      ) : (
        <>
          {create.error && failureOf(create.error).kind !== 'invalid' && (
            <FailureNotice error={create.error} />
          )}
          {elsewhere.map(({ loc, msg }) => (
            <Notice key={loc.join('.')} tone="bad">
              {loc.join('.')}: {msg}
            </Notice>
          ))}
        </>
      )}
      {groups.map((group) => (
        <fieldset key={group.name} className={css.group}>
          <legend>{wordOf(group.name)}</legend>
          {group.fields.map((field) => (
            <OneField
              key={field.path}
              field={field}
              value={values[field.path] ?? ''}
              fault={faultAt(faults, field.path)}
              onChange={(value) => setValues((before) => ({ ...before, [field.path]: value }))}
            />
          ))}
        </fieldset>
      ))}
      <div>
        <Button type="submit" kind="primary" disabled={create.isPending}>
          Send the request
        </Button>
      </div>
    </form>
  );
}

interface OneFieldProps {
  readonly field: FormField;
  readonly value: string;
  readonly fault: string | undefined;
  readonly onChange: (value: string) => void;
}

function OneField({ field: { path, kind, options, isRequired }, value, fault, onChange }: OneFieldProps) {
  const marks = { id: path, name: path, value, invalid: fault !== undefined };
  return (
    <Field label={`${wordOf(path)}${isRequired ? '' : ' (optional)'}`} htmlFor={path} fault={fault}>
      {kind === 'choice' ? (
        <Select {...marks} onChange={(event) => onChange(event.target.value)}>
          <option value="">Choose …</option>
          {options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </Select>
      ) : (
        <TextInput
          {...marks}
          placeholder={HINTS[path]}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

/** Whether a fault belongs to the field at a path or to a part of it. */
const isAt = (loc: ValidationError['loc'], path: string) =>
  loc[0] === 'body' && `${loc.slice(1).join('.')}.`.startsWith(`${path}.`);

const faultAt = (faults: readonly ValidationError[], path: string) =>
  faults.find(({ loc }) => isAt(loc, path))?.msg;
