import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Outputs } from '../api/api.ts';
import { FormDialog } from '../look/dialog/form-dialog.tsx';
import { FactList } from '../look/fact-list.tsx';
import { Field, TextInput } from '../look/form/field.tsx';
import { Named } from '../look/table/named.tsx';
import { Time } from '../look/time/time.tsx';
import { CertificateDialog } from './certificate-dialog.tsx';
import { ERASED } from './erasure-words.ts';

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
