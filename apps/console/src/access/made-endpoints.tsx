import type { Outputs } from '../api/api.ts';
import { Button } from '../look/button.tsx';
import { Dialog } from '../look/dialog.tsx';
import { Field, TextInput } from '../look/field.tsx';

type Endpoint = Outputs['keys']['revoke']['endpoints'][number];

const counted = (count: number): string => (count === 1 ? '1 endpoint' : `${count} endpoints`);

interface SuccessorFieldProps {
  /** The endpoints that the key or person made. */
  readonly endpointIds: readonly string[];
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/**
 * Asks who takes over the endpoints of a key or person that is ended, and says that they are paused otherwise. Renders
 * only where it made some.
 */
export function SuccessorField({ endpointIds, value, onChange }: SuccessorFieldProps) {
  if (endpointIds.length === 0) return null;
  return (
    <>
      <p>
        This pauses {counted(endpointIds.length)}: {endpointIds.join(', ')}. No events are posted there until
        somebody of the account enables it. Name a successor, and nothing is paused.
      </p>
      <Field
        label="Successor: the id of a live key or person of the account; may be left empty"
        htmlFor="successor"
      >
        <TextInput
          id="successor"
          autoComplete="off"
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
    </>
  );
}

/** The successor as it is sent: null where the field is empty. */
export const successorOf = (text: string): string | null => text.trim() || null;

interface EndedDialogProps {
  /** Whose end it was. */
  readonly name: string;
  readonly endpoints: readonly Endpoint[];
  readonly onClose: () => void;
}

/** A dialog that names the endpoints of a key or person that has ended, and what became of them. */
export function EndedDialog({ name, endpoints, onClose }: EndedDialogProps) {
  return (
    <Dialog title={`${name} made ${counted(endpoints.length)}`} onClose={onClose}>
      <ul>
        {endpoints.map((endpoint) => (
          <li key={endpoint.endpoint_id}>
            {endpoint.url ?? endpoint.endpoint_id}:{' '}
            {endpoint.disabled_at === null
              ? `continues with ${endpoint.made_by ?? 'its account'}`
              : 'gets no events until somebody of the account enables it'}
          </li>
        ))}
      </ul>
      <div>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
