import type { CopyKind, ErasedCounts } from '@insurance-verification/schema';
import type { Outputs } from '../api/api.ts';
import { Button } from '../look/button/button.tsx';
import { Dialog } from '../look/dialog/dialog.tsx';
import { download } from '../look/download.ts';
import { FactList } from '../look/fact-list.tsx';
import { Named } from '../look/table/named.tsx';
import { Time } from '../look/time/time.tsx';
import { ERASED } from './erasure-words.ts';
import css from './privacy.module.css';

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
          ['One person alone', certificate.by_one_person && 'Nobody else was active here.'],
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
      <ul className={css.copies}>
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
