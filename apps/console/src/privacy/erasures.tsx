import { type CopyKind, type ErasedCounts, ErasureReason } from '@insurance-verification/schema';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Outputs } from '../api/api.ts';
import { Button } from '../look/button.tsx';
import { Dialog, FormDialog } from '../look/dialog.tsx';
import { download } from '../look/download.ts';
import { FactList } from '../look/fact-list.tsx';
import { Field, TextInput } from '../look/field.tsx';
import formCss from '../look/form.module.css';
import { Named, ShortId } from '../look/ids.tsx';
import css from '../look/layout.module.css';
import { Mark, Unseen } from '../look/mark.tsx';
import type { Column } from '../look/table.tsx';
import { Time } from '../look/time.tsx';
import { ERASED } from '../words/request-words.ts';

type Erasure = Outputs['erasures']['list']['items'][number];

/** The columns of erasures, which wait for their second person or are done. */
export const erasureColumns = (
  onConfirm: (erasure: Erasure) => void,
  onShow: (erasure: Erasure) => void,
): readonly Column<Erasure>[] => [
  { head: 'Request', is: 'name', cell: ({ request_id: id }) => <ShortId id={id} of="request id" /> },
  {
    head: 'Clinic',
    is: 'words',
    from: 'middle',
    cell: ({ account_name: name }) => name,
  },
  { head: 'Reason', is: 'words', from: 'middle', cell: ({ reason }) => ERASED[reason].word },
  { head: 'Asked', from: 'middle', cell: ({ asked_at: at }) => <Time at={at} /> },
  {
    head: 'By',
    is: 'words',
    cell: ({ asked_by: id, asked_by_name: name }) => <Named id={id} name={name} />,
  },
  {
    head: 'Standing',
    is: 'words',
    cell: (erasure) => {
      const { request_id: id, erased_at: erasedAt, lapses_at: lapsesAt } = erasure;
      return (
        <span className={css.standing}>
          <span>
            {erasedAt === null ? (
              <Mark tone="wait">Waits for a second person</Mark>
            ) : (
              <Mark tone="quiet">
                {erasure.confirmed_by === null ? 'Erased at the end of its retention' : 'Erased'}
              </Mark>
            )}
            {erasedAt !== null && (
              <>
                {' '}
                <Time at={erasedAt} />
              </>
            )}
            {lapsesAt !== null && (
              <>
                {' '}
                until <Time at={lapsesAt} />
              </>
            )}
          </span>
          {erasure.may_confirm && (
            <Button onClick={() => onConfirm(erasure)}>
              Confirm …<Unseen> the erasure of {id}</Unseen>
            </Button>
          )}
          {erasure.confirmed_by !== null && (
            <Button onClick={() => onShow(erasure)}>
              Certificate<Unseen> of {id}</Unseen>
            </Button>
          )}
        </span>
      );
    },
  },
];

/** A dialog that asks for the erasure of a request; another person confirms it. */
export function AskErasureDialog({ onClose }: { readonly onClose: () => void }) {
  const [id, setId] = useState('');
  const [reason, setReason] = useState<ErasureReason>('wrong_patient');
  const ask = useMutation({
    mutationFn: () => api.requests.erase.mutate({ request_id: id.trim(), reason }),
    onSuccess: onClose,
  });
  return (
    <FormDialog
      title="Erase a request"
      act="Ask for the erasure"
      kind="danger"
      isReady={id.trim() !== ''}
      doing={ask}
      onSubmit={() => ask.mutate()}
      onClose={onClose}
    >
      <p>
        Another person confirms it within 7 days, with the ending of the patient’s member id. Until then
        nothing is erased; then it is done at once, and nothing brings it back.
      </p>
      <Field label="Request id" htmlFor="erase-request">
        <TextInput
          id="erase-request"
          autoComplete="off"
          placeholder="req_…"
          value={id}
          onChange={(event) => setId(event.target.value)}
        />
      </Field>
      <fieldset className={formCss.choices}>
        <legend>Reason</legend>
        {ErasureReason.options.map((option) => (
          <label key={option}>
            <input
              type="radio"
              name="erasure-reason"
              checked={reason === option}
              onChange={() => setReason(option)}
            />
            {ERASED[option].word}
          </label>
        ))}
      </fieldset>
    </FormDialog>
  );
}

interface ConfirmErasureDialogProps {
  readonly erasure: Outputs['erasures']['list']['items'][number];
  readonly onClose: () => void;
}

/** A dialog in which a second person erases a request, and then sees the certificate. */
export function ConfirmErasureDialog({ erasure, onClose }: ConfirmErasureDialogProps) {
  const [ending, setEnding] = useState('');
  const confirm = useMutation({
    mutationFn: () =>
      api.erasures.confirm.mutate({ erasure_id: erasure.erasure_id, member_id_ending: ending }),
    onSuccess: () => setEnding(''),
  });
  if (confirm.data) return <CertificateDialog erasure={confirm.data} onClose={onClose} />;
  return (
    <FormDialog
      title="Confirm the erasure"
      act="Erase the data"
      kind="danger"
      isReady={ending.trim() !== ''}
      doing={confirm}
      onSubmit={() => confirm.mutate()}
      onClose={onClose}
    >
      <FactList
        facts={[
          ['Request', <code key="id">{erasure.request_id}</code>],
          ['Reason', ERASED[erasure.reason].word],
          [
            'Asked',
            <span key="asked">
              <Time at={erasure.asked_at} />, by <Named id={erasure.asked_by} name={erasure.asked_by_name} />
            </span>,
          ],
        ]}
      />
      <p>
        Everything that the service has of this request is erased at once: nothing brings it back. What
        happened, and when, stays.
      </p>
      <Field label="Last four characters of the patient’s member id" htmlFor="erase-ending">
        <TextInput
          id="erase-ending"
          autoComplete="off"
          value={ending}
          onChange={(event) => setEnding(event.target.value)}
        />
      </Field>
      <p>A shorter id is typed whole. Where there is none, it is the ending of the request id.</p>
    </FormDialog>
  );
}

interface CertificateDialogProps {
  readonly erasure: Outputs['erasures']['confirm'];
  readonly onClose: () => void;
}

const COUNTS: Readonly<Record<keyof ErasedCounts, string>> = {
  results: 'versions of the result',
  deliveries: 'messages',
  deliveries_ended: 'of these not sent yet',
  responses: 'answers of the receiver',
  attempts: 'attempts with notes',
  exchanges: 'exchanges with the payer',
  drafts: 'drafts',
  held_outputs: 'held outputs',
  held_entries: 'entries in held outputs of others',
};

const COPIES: Readonly<Record<CopyKind, string>> = {
  table_file: 'The files of the tables',
  write_ahead_log: 'The write-ahead log',
  archived_log: 'Archived log',
  standby: 'Standby',
  backup: 'Backups',
};

/** The certificate of an erasure: who, when, how much, and which copies are still there. */
export function CertificateDialog({ erasure, onClose }: CertificateDialogProps) {
  const { certificate, request_id: id } = erasure;
  if (!certificate)
    return (
      <Dialog title="Certificate of the erasure" onClose={onClose}>
        <p>Its month of the audit was dropped; the export that was made of it has the certificate.</p>
        <Button onClick={onClose}>Close</Button>
      </Dialog>
    );
  const counts = Object.entries(COUNTS) as [keyof ErasedCounts, string][];
  return (
    <Dialog title="Certificate of the erasure" onClose={onClose}>
      <FactList
        facts={[
          ['Request', <code key="id">{id}</code>],
          ['Reason', ERASED[certificate.reason].word],
          [
            'Asked',
            <span key="asked">
              <Time at={certificate.asked_at} />, by{' '}
              <Named id={certificate.asked_by} name={erasure.asked_by_name} />
            </span>,
          ],
          [
            'Erased',
            <span key="erased">
              <Time at={certificate.erased_at} />, confirmed by{' '}
              <Named id={certificate.confirmed_by} name={erasure.confirmed_by_name} />
            </span>,
          ],
          ['Only one person', certificate.by_one_person && 'No other person was active here.'],
          [
            'What',
            counts
              .filter(([name]) => certificate.erased[name] > 0)
              .map(([name, words]) => `${words}: ${certificate.erased[name]}`)
              .join(', '),
          ],
        ]}
      />
      <h3>Still there</h3>
      <ul className={css.bullets}>
        {certificate.copies.map(({ kind, name, until, ends }) => (
          <li key={`${kind} ${name}`}>
            {COPIES[kind]}
            {name !== null && `, ${name}`}
            {until !== null && (
              <>
                , until <Time at={until} />
              </>
            )}
            . {ends}
          </li>
        ))}
      </ul>
      <Button
        onClick={() =>
          download(`erasure-${id}.json`, 'application/json', `${JSON.stringify(certificate, null, 2)}\n`)
        }
      >
        Save the certificate
      </Button>
      <Button onClick={onClose}>Close</Button>
    </Dialog>
  );
}
