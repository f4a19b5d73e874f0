import type { Outputs } from '../../api/api.ts';
import { Button } from '../../look/button/button.tsx';
import { CopyButton } from '../../look/button/copy-button.tsx';
import { FactList } from '../../look/fact-list.tsx';
import { FailureNotice } from '../../look/state/failure-notice.tsx';
import css from './request.module.css';

interface PatientPartProps {
  /** The patient data; null until somebody asks for it: the page does not have it before. */
  readonly patient: Outputs['requests']['get']['input']['patient_info'] | null;
  readonly reveal: { readonly isPending: boolean; readonly error: unknown; readonly mutate: () => void };
}

/** The patient data, read on a click. That is in the audit. */
export function PatientPart({ patient, reveal }: PatientPartProps) {
  const shown = (name: string, value: string | null | undefined) =>
    value && (
      <span className={css.value}>
        {value}
        <CopyButton text={value} name={`the ${name}`} />
      </span>
    );
  if (patient)
    return (
      <FactList
        facts={[
          ['Name', shown('name', patient.name)],
          ['Born', shown('birth date', patient.dob)],
          ['Member id', shown('member id', patient.subscriber_id)],
          ['Address', shown('address', patient.address)],
        ]}
      />
    );
  return (
    <>
      {reveal.error !== null && <FailureNotice error={reveal.error} />}
      <FactList
        facts={['Name', 'Born', 'Member id'].map((name) => [
          name,
          <span key={name} className={css.masked}>
            <span aria-hidden="true">••••••••</span> not shown
          </span>,
        ])}
      />
      <div>
        <Button disabled={reveal.isPending} onClick={() => reveal.mutate()}>
          Show the patient
        </Button>
      </div>
      <p className={css.quiet}>That you look is in the access log.</p>
    </>
  );
}
