import type { Outputs } from '../api/api.ts';
import { Notice } from '../look/state/notice.tsx';
import { Time } from '../look/time/time.tsx';

type Stop = NonNullable<Outputs['audit']['seals']['stopped']>;

/** What a person must know who finds that nothing is sealed any more. */
export function Stopped({ stopped }: { readonly stopped: Stop }) {
  return stopped.cause === 'blocked' ? <Blocked stopped={stopped} /> : <Differs stopped={stopped} />;
}

function Differs({ stopped: { cause, of, number, fault, since } }: { readonly stopped: Stop }) {
  const what = {
    seal: `Seal ${number?.toLocaleString('en-US') ?? ''}`.trim(),
    drop: `The record ${number ?? ''} of dropped lines`,
    resume: `The record that sealing was resumed behind seal ${number ?? ''}`,
  }[of ?? 'seal'];
  const is = fault === 'absent' ? 'is gone' : 'is not what was signed';
  return (
    <Notice tone="bad">
      <p>
        Nothing is sealed since <Time at={since} />: {what} {is} in the database
        {cause === 'differs' && ', and the service’s own file of seals, outside of it, shows it'}. Somebody
        changed the past, or a restored backup or a failover lost its end.
      </p>
      <p>
        Keep the database as it is and verify it with the file. After a restore, whoever runs the service lets
        it go on: <code>iv audit resume --reason …</code> <a href="/console/help/seals">What to do</a>
      </p>
    </Notice>
  );
}

function Blocked({ stopped: { holders, since } }: { readonly stopped: Stop }) {
  return (
    <Notice tone="warn">
      <p>
        Nothing is sealed since <Time at={since} />: somebody in the database holds a lock and does not end.
        Whoever runs it finds them by
      </p>
      <ul>
        {holders.map(({ pid, application, role }) => (
          <li key={`${pid} ${application} ${role}`}>
            process {pid ?? 'unknown, a prepared transaction'}, application {application || 'without a name'},
            role {role ?? 'unknown'}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
