import { useState } from 'react';
import { useKeys } from '../keys/use-keys.ts';
import { CopyButton } from '../look/button.tsx';
import { Unseen } from '../look/mark.tsx';
import { dayInWords } from '../look/read-date.ts';
import { Time } from '../look/time.tsx';
import { useByClock } from '../look/use-now.ts';
import { hoursWords } from '../words/payer-clock.ts';
import { ATTEMPTS, CHANNELS } from '../words/request-words.ts';
import { type AskValue, askValues, telOf } from './ask-values.ts';
import type { WorkItem } from './draft.ts';
import { useOpenTimes } from './use-open-times.ts';
import css from './work.module.css';

interface AskColumnProps {
  readonly item: WorkItem;
  /** Called when the payer's portal is opened; undefined while the request is not this person's. */
  readonly onOpenPortal: (() => void) | undefined;
}

/** The keys that copy, in the order of the values. */
const DIGITS = '1234567890';

/** Characters of a value above which its label is above it: next to the label there is room for about these. */
const BESIDE_MAX = 22;

/** What is asked, and how to ask the payer. A digit key copies the value next to it. */
export function AskColumn({ item, onOpenPortal }: AskColumnProps) {
  const { patient, provider, codes, visit, ways } = askValues(item);
  const values = [...patient, ...provider, ...codes, ...visit, ...ways];
  const [copied, setCopied] = useState('');
  const copy = ({ name, value }: AskValue) => {
    void navigator.clipboard.writeText(value).then(() => setCopied(`Copied ${name}.`));
  };
  useKeys(
    Object.fromEntries(
      values.slice(0, DIGITS.length).map((one, index) => [DIGITS.charAt(index), () => copy(one)]),
    ),
  );
  const shownOf = ({ label, value }: AskValue) => {
    if (label === 'Phone') return <PhoneLink phone={value} />;
    if (label !== 'Portal') return value;
    // From then on the request is kept without a key pressed here.
    return (
      <a href={value} target="_blank" rel="noreferrer" onClick={onOpenPortal}>
        Open the portal
      </a>
    );
  };
  const rows = (shown: readonly AskValue[]) => (
    <dl>
      {shown.map((one) => {
        const { label, name, value } = one;
        const digit = DIGITS.charAt(values.indexOf(one));
        return (
          <div key={name} data-long={(value.length > BESIDE_MAX && label !== 'Portal') || undefined}>
            <dt>{label}</dt>
            <dd>
              <span>{shownOf(one)}</span>
              <CopyButton text={value} name={name} />
              {digit !== '' && <kbd aria-hidden="true">{digit}</kbd>}
            </dd>
          </div>
        );
      })}
    </dl>
  );
  const { notes } = item.payer;
  const { phone_number: said } = item.request.input.payer_info;
  return (
    <section className={css.ask} aria-label="Ask">
      <p className={css.notes}>
        Asked about {item.service_date === null ? 'today' : dayInWords(item.service_date)}
      </p>
      <div className={css.group}>
        <h2>Patient</h2>
        {rows(patient)}
      </div>
      <div className={css.group}>
        <h2>Provider</h2>
        {rows(provider)}
      </div>
      {codes.length > 0 && (
        <div className={css.group}>
          <h2>Codes</h2>
          {rows(codes)}
        </div>
      )}
      {visit.length > 0 && (
        <div className={css.group}>
          <h2>Visit</h2>
          {rows(visit)}
        </div>
      )}
      <div className={css.group}>
        <h2>How to ask</h2>
        {rows(ways)}
        <ul className={css.how}>
          <PayerHours payer={item.payer} />
          {item.payer.menu_path !== null && item.payer.menu_path_changed_on !== null && (
            <li>The menu changed on {dayInWords(item.payer.menu_path_changed_on)}</li>
          )}
          {said && said !== item.payer.phone_number && <li>The request says {said}, not checked</li>}
          {notes !== null && <li className={css.notes}>{notes}</li>}
          {ways.length === 0 && notes === null && (
            <li>The payers’ configuration says nothing about this payer yet.</li>
          )}
        </ul>
      </div>
      <EarlierAttempts history={item.history} />
      <Unseen role="status">{copied}</Unseen>
    </section>
  );
}

/** What time it is at the payer, and until when its phone is answered; nothing for one that always is. */
function PayerHours({ payer }: Pick<WorkItem, 'payer'>) {
  const { time_zone: zone } = payer;
  const openTimes = useOpenTimes(payer);
  const text = useByClock((now) => (zone === null || !openTimes ? '' : hoursWords(openTimes, zone, now)));
  return text === '' ? null : <li>{text}</li>;
}

function PhoneLink({ phone }: { readonly phone: string }) {
  const href = telOf(phone);
  return href === null ? <>{phone}</> : <a href={href}>{phone}</a>;
}

/** Who tried before, how it ended, and the payer's reference number, which a second call begins with. */
function EarlierAttempts({ history }: Pick<WorkItem, 'history'>) {
  if (history.length === 0) return null;
  return (
    <div className={css.group}>
      <h2>Earlier attempts</h2>
      <ol className={css.history}>
        {history.map((attempt) => (
          <li key={attempt.number}>
            <p>
              <strong>{ATTEMPTS[attempt.outcome].word}</strong>,{' '}
              {attempt.channel ? CHANNELS[attempt.channel] : 'submitted'},{' '}
              <Time at={attempt.ended_at ?? attempt.started_at} />
              {attempt.verifier_name && <>, {attempt.verifier_name}</>}
            </p>
            {attempt.reference && (
              <p>
                Reference number <strong>{attempt.reference}</strong>
              </p>
            )}
            {attempt.representative && (
              <p>
                Spoke with <strong>{attempt.representative}</strong>
              </p>
            )}
            {attempt.explanation && <p>{attempt.explanation}</p>}
            {attempt.note && <p className={css.notes}>{attempt.note}</p>}
          </li>
        ))}
      </ol>
    </div>
  );
}
