import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api, type Outputs } from '../api/api.ts';
import { failureOf } from '../api/failure.ts';
import { Button } from '../look/button/button.tsx';
import { CopyButton } from '../look/button/copy-button.tsx';
import css from '../look/table/table.module.css';
import { IdCell } from '../look/table/table.tsx';
import { Whole, WholeWords } from '../look/text/whole-words.tsx';

type Summary = Outputs['requests']['search']['items'][number];

/**
 * The patient of a request in a list, as a link to it: by initials, and by name once somebody asks. The name is read on
 * the click, which the audit has once; it stays until the page is left.
 */
export function PatientCell({ request }: { readonly request: Summary }) {
  const { request_id: id, patient_initials: initials, erased_at: erasedAt } = request;
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
      {reveal.error && <span role="status">{failureOf(reveal.error).sentence}</span>}
    </IdCell>
  );
}
