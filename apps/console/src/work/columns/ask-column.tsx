import { escapeHidden } from '@insurance-verification/schema';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/api.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { CopyButton } from '../../look/button/copy-button.tsx';
import { Time } from '../../look/time/time.tsx';
import { Unseen } from '../../look/unseen.tsx';
import { dayInWords } from '../../words/day-in-words.ts';
import { ATTEMPTS, CHANNELS } from '../../words/request-words.ts';
import type { WorkItem } from '../draft/draft.ts';
import { dayForPayer } from '../draft/read-date.ts';
import css from '../work.module.css';

/** The values of the request, in the order in which portals ask for them. A digit key copies the value beside it. */
export function AskColumn({ item }: { readonly item: WorkItem }) {
  const {
    patient_info: patient,
    payer_info: payer,
    provider_info: provider,
    cpt_code_coverage: codes,
  } = item.request.input;
  const groups: readonly (readonly [string, readonly (readonly [string, string | null | undefined])[]])[] = [
    [
      'Patient',
      [
        ['Member id', patient.subscriber_id],
        ['Born', patient.dob && dayForPayer(patient.dob)],
        ['Name', patient.name],
        ['Address', patient.address],
      ],
    ],
    [
      'Provider',
      [
        ['NPI', provider.npi],
        ['TIN', provider.tin],
        ['Name', provider.name],
        ['Organization', provider.organization_name],
      ],
    ],
    ['Codes', [['Asked', codes?.join(', ')]]],
    ['Visit', [['Day', item.service_date && dayForPayer(item.service_date)]]],
  ];
  const requestId = item.request.request_id ?? '';
  // A copy that is made must be on record.
  const noted = useMutation({
    mutationFn: () => api.requests.noteCopy.mutate({ request_id: requestId }),
    retry: 3,
  });
  const noteCopy = (group: string) => group === 'Patient' && noted.mutate();
  const [copied, setCopied] = useState('');
  const values = groups.flatMap(([group, rows]) =>
    rows.flatMap(([name, value]) =>
      value ? [{ id: `${group} ${name}`, group, name: name.toLowerCase(), value }] : [],
    ),
  );
  useKeys(
    Object.fromEntries(
      values.slice(0, 9).map(({ group, name, value }, index) => [
        String(index + 1),
        () => {
          noteCopy(group);
          void navigator.clipboard.writeText(value).then(() => setCopied(`Copied the ${name}.`));
        },
      ]),
    ),
  );
  // Whoever posts a request must not choose who is called: the number of the route is the one to call.
  const { phone_number: phone, portal_url: portal, menu_path: menu, notes } = item.payer;
  return (
    <section className={css.ask} aria-label="Ask">
      <p className={css.notes}>
        Asked about {item.service_date === null ? 'today' : dayInWords(item.service_date)}
      </p>
      {groups.map(([group, rows]) => {
        const shown = rows.filter(([, value]) => value);
        if (shown.length === 0) return null;
        return (
          <div key={group} className={css.group} onCopy={() => noteCopy(group)}>
            <h2>{group}</h2>
            <dl>
              {shown.map(([name, value]) => {
                const index = values.findIndex(({ id }) => id === `${group} ${name}`);
                return (
                  <div key={name}>
                    <dt>{name}</dt>
                    <dd>
                      <span>{value}</span>
                      <CopyButton
                        text={value ?? ''}
                        name={`the ${name.toLowerCase()}`}
                        onCopy={() => noteCopy(group)}
                      />
                      {index < 9 && <kbd aria-hidden="true">{index + 1}</kbd>}
                    </dd>
                  </div>
                );
              })}
            </dl>
          </div>
        );
      })}
      <div className={css.group}>
        <h2>How to ask</h2>
        <ul className={css.how}>
          {portal !== null && (
            <li>
              <a href={portal} target="_blank" rel="noreferrer">
                Open the portal
              </a>
            </li>
          )}
          {phone !== null && (
            <li>
              Phone <strong>{phone}</strong> <CopyButton text={phone} name="the phone number" />
            </li>
          )}
          {payer.phone_number && payer.phone_number !== phone && (
            <li>The request says {escapeHidden(payer.phone_number)}, not checked</li>
          )}
          {menu !== null && (
            <li>
              In the menu <strong>{menu}</strong>
            </li>
          )}
          {notes !== null && <li className={css.notes}>{notes}</li>}
          {portal === null && phone === null && notes === null && (
            <li>The payers’ configuration says nothing about this payer yet.</li>
          )}
        </ul>
      </div>
      {item.history.length > 0 && (
        <div className={css.group}>
          <h2>Earlier attempts</h2>
          <ol className={css.history}>
            {item.history.map((attempt) => (
              <li key={attempt.number}>
                <p>
                  <strong>{ATTEMPTS[attempt.outcome].word}</strong>,{' '}
                  {attempt.channel ? CHANNELS[attempt.channel] : 'handed in'},{' '}
                  <Time at={attempt.ended_at ?? attempt.started_at} />
                </p>
                {attempt.explanation && <p>{attempt.explanation}</p>}
                {attempt.note && <p className={css.notes}>{attempt.note}</p>}
              </li>
            ))}
          </ol>
        </div>
      )}
      <Unseen role="status">{copied}</Unseen>
    </section>
  );
}
