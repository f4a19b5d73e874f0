import { LimitPolicy } from '@insurance-verification/schema';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api, type Outputs } from '../api/api.ts';
import { failureOf } from '../api/failure.ts';
import { Button } from '../look/button.tsx';
import { Dialog } from '../look/dialog.tsx';
import { Field, TextArea, TextInput, textOf } from '../look/field.tsx';
import css from '../look/form.module.css';
import layoutCss from '../look/layout.module.css';
import { Loaded, SkeletonRows } from '../look/loaded.tsx';
import { Notice } from '../look/notice.tsx';
type Limits = Outputs['accounts']['limits'];

const WORDS: Readonly<Record<LimitPolicy, string>> = {
  intake: 'Requests created',
  reads: 'Rows read',
  'redeliver-exhausted': 'Redeliveries of many',
  'secret-reveal': 'Looks at a secret',
};

interface LimitsDialogProps {
  readonly account: { readonly account_id: string; readonly name: string };
  readonly onClose: () => void;
}

/** A dialog that sets an account's rate limits and allowed networks. */
export function LimitsDialog({ account, onClose }: LimitsDialogProps) {
  const { account_id: id } = account;
  const query = useQuery({
    queryKey: ['accounts.limits', id],
    queryFn: ({ signal }) => api.accounts.limits.query({ account_id: id }, { signal }),
  });
  return (
    <Dialog title={`Limits of ${account.name}`} onClose={onClose}>
      <Loaded query={query} what="account" skeleton={<SkeletonRows count={5} />}>
        {(limits) => <LimitsForm limits={limits} onClose={onClose} />}
      </Loaded>
    </Dialog>
  );
}

/**
 * Parses a limit, such as `120000 in 60 s`; an empty text is the default. Anything else is sent as typed, and the
 * service names the field that is wrong.
 */
function quotaOf(text: string) {
  if (text === '') return null;
  const [, quota = 'none', seconds = 'none'] = /^([\d,.]+)\D+(\d+)/.exec(text) ?? [];
  return { quota: Number(quota.replaceAll(/[,.]/g, '')), window_seconds: Number(seconds) };
}

function LimitsForm({ limits, onClose }: { readonly limits: Limits; readonly onClose: () => void }) {
  const set = useMutation({
    mutationFn: (form: HTMLFormElement) => {
      const cidrs = textOf(form, 'cidrs')
        .split(/[\s,]+/)
        .filter(Boolean);
      return api.accounts.setLimits.mutate({
        account_id: limits.account_id,
        policies: Object.fromEntries(
          LimitPolicy.options.map((name) => [name, quotaOf(textOf(form, name).trim())]),
        ),
        allowed_cidrs: cidrs.length === 0 ? null : cidrs,
      });
    },
    onSuccess: onClose,
  });
  const failure = set.error && failureOf(set.error);
  const faultOf = (name: string) => failure?.faults.find(({ loc }) => loc.includes(name))?.msg;
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        set.mutate(event.currentTarget);
      }}
    >
      {failure && <Notice tone="bad">{failure.sentence}</Notice>}
      {LimitPolicy.options.map((name) => {
        const { quota, window_seconds: seconds, overridden } = limits.policies[name];
        const text = quota === null ? '' : `${quota} in ${seconds} s`;
        return (
          <Field key={name} label={WORDS[name]} htmlFor={`limit-${name}`} fault={faultOf(name)}>
            <TextInput
              id={`limit-${name}`}
              name={name}
              defaultValue={overridden ? text : ''}
              placeholder={text === '' ? 'no limit' : `${text}, the default`}
              autoComplete="off"
              invalid={faultOf(name) !== undefined}
            />
          </Field>
        );
      })}
      <Field
        label="Networks its keys work from, one a line; none: anywhere"
        htmlFor="limit-cidrs"
        fault={faultOf('allowed_cidrs')}
      >
        <TextArea
          id="limit-cidrs"
          name="cidrs"
          rows={2}
          defaultValue={limits.allowed_cidrs?.join('\n') ?? ''}
          placeholder="203.0.113.0/24"
          invalid={faultOf('allowed_cidrs') !== undefined}
        />
      </Field>
      <div className={layoutCss.row}>
        <Button kind="primary" type="submit" disabled={set.isPending}>
          Set the limits
        </Button>
        <Button onClick={onClose}>Leave it</Button>
      </div>
    </form>
  );
}
