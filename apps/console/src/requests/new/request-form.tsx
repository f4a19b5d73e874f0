import {
  type KnownAnswer,
  type RequestInfo,
  type Schemas,
  toValidationErrors,
  type ValidationError,
} from '@insurance-verification/schema';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { api } from '../../api/api.ts';
import { failureOf } from '../../api/failure.ts';
import { Button } from '../../look/button.tsx';
import { DateField, Field, Select, TextInput } from '../../look/field.tsx';
import { FailureNotice, Notice } from '../../look/notice.tsx';
import { useZone } from '../../look/time.tsx';
import { usePayers } from '../use-payers.ts';
import { callbackDoubt, doubtAt } from './doubts.ts';
import {
  bodyOf,
  type FormField,
  formGroups,
  type FormValues,
  HINTS,
  NO_TIME,
  readDays,
  valuesOf,
  wordOf,
} from './form-values.ts';
import css from './new-request.module.css';
import { PayerFinder } from './payer-finder.tsx';
import { WhenFields } from './when-fields.tsx';

interface RequestFormProps {
  readonly model: Schemas['RequestInfo'];
  /** The input of an earlier request; null for an empty form. */
  readonly earlier: RequestInfo | null;
  /** The id of the earlier request. */
  readonly from: string | undefined;
  /** The callback address that the account used last; empty where it has none. */
  readonly usualCallback: string;
  /** The right answer, where a request is seeded rather than posted. */
  readonly known?: KnownPart;
}

/** The right answer to a request, and its fields in the form. */
interface KnownPart {
  /** Null while a typed day cannot be read. */
  readonly answer: KnownAnswer | null;
  readonly fields: ReactNode;
}

/**
 * A form made from the model `RequestInfo`, validated before it is sent. Its Idempotency-Key is made once, so that a
 * form that is sent twice creates one request.
 */
export function RequestForm({ model, earlier, from, usualCallback, known }: RequestFormProps) {
  const groups = useMemo(() => formGroups(model), [model]);
  const fields = useMemo(() => groups.flatMap((group) => group.fields), [groups]);
  const [filled] = useState<FormValues>(() =>
    earlier ? valuesOf(fields, earlier) : { callback_url: usualCallback },
  );
  const [values, setValues] = useState(filled);
  const [when, setWhen] = useState(NO_TIME);
  const { zone } = useZone();
  const [key, setKey] = useState(() => crypto.randomUUID());
  const [faults, setFaults] = useState<readonly ValidationError[]>([]);
  const form = useRef<HTMLFormElement>(null);
  const [, go] = useLocation();
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: async ({ body, headers }: Sent) => {
      if (known?.answer) {
        const seed = { request: body, answer: known.answer };
        await api.knownAnswers.create.mutate(seed, { context: headers });
        void queries.invalidateQueries({ queryKey: ['knownAnswers.list'] });
        return '/known-answers';
      }
      const context = { idempotencyKey: key, ...headers };
      const { request_id: id } = await api.requests.create.mutate(body, { context });
      return `/requests/${id}`;
    },
    onSuccess: (path) => go(path, { replace: true }),
    onError: (err) => showFaults(failureOf(err).faults),
  });
  const payers = usePayers().data?.items ?? [];
  const asksGender = payers.some(
    ({ name, asks_gender: asks }) => asks === true && name === values['payer_info.name'],
  );
  const isTyped =
    Object.values(when).some((value) => value !== '') ||
    fields.some(({ path }) => (values[path] ?? '') !== (filled[path] ?? ''));
  const isSent = create.isSuccess;
  useEffect(() => {
    if (!isTyped || isSent) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isTyped, isSent]);
  /** Shows the faults and focuses the first of their fields. */
  const showFaults = (found: readonly ValidationError[]) => {
    setFaults(found);
    const names = [
      ...fields.map(({ path }) => path).filter((path) => faultAt(found, path) !== undefined),
      ...HEADERS.filter((header) => faultOfHeader(found, header) !== undefined),
    ];
    form.current?.querySelector<HTMLElement>(`[name="${names[0]}"]`)?.focus();
  };
  const send = () => {
    const said = asksGender ? when : { ...when, gender: '' };
    const read = readDays({ fields, values, when: said, zone, today: new Date() });
    const body = bodyOf(fields, read.values);
    const { data, error } = model.safeParse(body);
    const found = [...(error ? toValidationErrors(error.issues, body) : []), ...read.faults];
    if (!data || found.length > 0) return showFaults(found);
    setFaults([]);
    return create.mutate({ body: data, headers: read.headers });
  };
  const wasSent = faults.some(({ type }) => type === 'idempotency_key_reused');
  const elsewhere = faults.filter(
    ({ loc }) => !fields.some(({ path }) => isAt(loc, path)) && !HEADERS.some((name) => isOf(loc, name)),
  );
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
          {group.name === 'payer_info' && (
            <PayerFinder
              onChoose={(name) => setValues((before) => ({ ...before, 'payer_info.name': name }))}
            />
          )}
          {group.fields.map((field) => (
            <OneField
              key={field.path}
              field={field}
              value={values[field.path] ?? ''}
              fault={faultAt(faults, field.path, values)}
              onChange={(value) => setValues((before) => ({ ...before, [field.path]: value }))}
            />
          ))}
        </fieldset>
      ))}
      <WhenFields
        asksGender={asksGender}
        when={when}
        onChange={setWhen}
        faultOf={(header) => faultOfHeader(faults, header)}
      />
      {known?.fields}
      <div>
        <Button type="submit" kind="primary" disabled={create.isPending || known?.answer === null}>
          {known ? 'Seed the request' : 'Send the request'}
        </Button>
      </div>
    </form>
  );
}

interface Sent {
  readonly body: RequestInfo;
  readonly headers: ReturnType<typeof readDays>['headers'];
}

/** Whether a fault belongs to the field at a path or to a part of it. */
const isAt = (loc: ValidationError['loc'], path: string) =>
  loc[0] === 'body' && `${loc.slice(1).join('.')}.`.startsWith(`${path}.`);

/** The fault of a field: of a callback address that the service never calls, in the words of the form. */
function faultAt(
  faults: readonly ValidationError[],
  path: string,
  values: FormValues = {},
): string | undefined {
  const fault = faults.find(({ loc }) => isAt(loc, path));
  if (fault?.type !== 'callback_url_blocked') return fault?.msg;
  return callbackDoubt((values[path] ?? '').trim()) ?? fault.msg;
}

/** The headers that the form has fields for. */
const HEADERS = ['service-date', 'needed-by', 'gender'];

const isOf = ([place, name]: ValidationError['loc'], header: string) => place === 'header' && name === header;

const faultOfHeader = (faults: readonly ValidationError[], header: string): string | undefined =>
  faults.find(({ loc }) => isOf(loc, header))?.msg;

interface OneFieldProps {
  readonly field: FormField;
  readonly value: string;
  readonly fault: string | undefined;
  readonly onChange: (value: string) => void;
}

/**
 * How long nothing is typed before a doubt shows. Not when the field is left: a click on the button below would miss
 * it, since the sentence moves it away.
 */
const PAUSE_MS = 800;

/** A field with what is wrong in it, or else what is doubtful, once the person has typed it. */
function OneField({ field: { path, kind, options, isRequired }, value, fault, onChange }: OneFieldProps) {
  const [typed, setTyped] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setTyped(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  const doubt = typed === value && fault === undefined ? doubtAt(path, value) : null;
  const label = `${wordOf(path)}${isRequired ? '' : ' (optional)'}`;
  if (kind === 'birth')
    return <DateField id={path} label={label} value={value} fault={fault} isBirth onChange={onChange} />;
  const marks = { id: path, name: path, value, invalid: fault !== undefined };
  return (
    <Field
      label={label}
      htmlFor={path}
      fault={fault}
      hint={
        <p role="status" className={css.doubt}>
          {doubt}
        </p>
      }
    >
      {kind === 'choice' ? (
        <Select {...marks} onChange={(event) => onChange(event.target.value)}>
          <option value="">Choose …</option>
          {options.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
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
