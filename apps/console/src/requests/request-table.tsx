import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api, type Outputs } from '../api/api.ts';
import { failureOf } from '../api/failure.ts';
import { Button, CopyButton } from '../look/button.tsx';
import { Named } from '../look/ids.tsx';
import layoutCss from '../look/layout.module.css';
import { Mark } from '../look/mark.tsx';
import { dayInWords } from '../look/read-date.ts';
import css from '../look/table.module.css';
import { type Column, IdCell } from '../look/table.tsx';
import { TestMark } from '../look/test-mark.tsx';
import { Whole, WholeWords } from '../look/text/whole-words.tsx';
import { TimeLeft } from '../look/time-left.tsx';
import { Time } from '../look/time.tsx';
import { reasonText } from '../words/reason-words.ts';
import { ANSWERS, WITHDRAWN } from '../words/request-words.ts';
import { PayerWait } from './payer-wait.tsx';

type Summary = Outputs['requests']['search']['items'][number];

/** The columns of a list of requests. */
export const REQUEST_COLUMNS: readonly Column<Summary>[] = [
  { head: 'Patient', cell: (request) => <PatientCell request={request} /> },
  { head: 'Payer', is: 'line', cell: ({ payer }) => payer },
  { head: 'Service day', from: 'laptop', cell: ({ service_date: day }) => day && dayInWords(day) },
  { head: 'Answer', is: 'line', cell: (request) => <Answer request={request} /> },
  {
    head: 'Needed',
    from: 'middle',
    cell: (request) => request.needed_by !== null && <Needed request={request} />,
  },
  {
    head: 'Received',
    from: 'laptop',
    turns: true,
    cell: (request) => <Time at={request.received_timestamp} />,
  },
];

/** For people who see several accounts. */
export const ACCOUNT_COLUMN: Column<Summary> = {
  head: 'Account',
  is: 'line',
  from: 'laptop',
  cell: ({ account_id: id, account_name: name }) => <Named id={id} name={name} />,
};

/** What was answered, whether that did not arrive, and whether an output about it waits for an operator. */
function Answer({ request }: { readonly request: Summary }) {
  const { answer, answer_reason: reason, state, held, waiting_for_payer: wait } = request;
  if (answer === null) return <span className={layoutCss.quiet}>Data erased</span>;
  const { tone, word } = reason === 'withdrawn' ? WITHDRAWN : ANSWERS[answer];
  const said = reason === null || reason === 'withdrawn' ? word : `${word}: ${reasonText(reason)}`;
  return (
    <div className={css.marks} title={said}>
      <Mark tone={tone}>{said}</Mark>
      {state === 'error_sending_webhook' && <Mark tone="bad">Not delivered</Mark>}
      {held && <Mark tone="warn">Held</Mark>}
      {wait && (
        <span className={layoutCss.quiet}>
          <PayerWait payer={request.payer} wait={wait} />
        </span>
      )}
    </div>
  );
}

/** The time left of what has no result yet, and whether it was met. */
export function Needed({ request }: { readonly request: Pick<Summary, 'needed_by' | 'overdue' | 'state'> }) {
  const { needed_by: by, overdue, state } = request;
  if (by === null) return null;
  if (state !== 'pending') return overdue ? <Mark tone="bad">Overdue</Mark> : <>In time</>;
  return <TimeLeft by={by} />;
}

/**
 * The patient of a request in a list, as a link to it: by initials, and by name once somebody asks. The name is read on
 * the click, which the audit has once; it stays until the page is left.
 */
function PatientCell({ request }: { readonly request: Summary }) {
  const { request_id: id, patient_initials: initials, erased_at: erasedAt, account_mode: mode } = request;
  const reveal = useMutation({
    mutationFn: () => api.requests.reveal.mutate({ request_id: id }),
    gcTime: 0, // a patient's data stays no longer than the page
  });
  const name = reveal.data?.request.input.patient_info.name;
  const shown = initials ?? (erasedAt === null ? 'No name' : 'Erased');
  return (
    <IdCell>
      <Link href={`/requests/${id}`} title={id}>
        {name ? <WholeWords text={name} /> : <Whole>{shown}</Whole>}
      </Link>
      {initials !== null && !reveal.data && (
        <Button
          className={css.act}
          aria-label={`Show the name of ${initials}`}
          disabled={reveal.isPending}
          onClick={() => reveal.mutate()}
        >
          Show
        </Button>
      )}
      <CopyButton text={id} name="the request id" />
      <TestMark mode={mode} />
      {reveal.error && <span role="status">{failureOf(reveal.error).sentence}</span>}
    </IdCell>
  );
}
