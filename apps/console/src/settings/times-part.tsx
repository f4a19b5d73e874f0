import css from '../access/access.module.css';
import { useChangeSettings } from '../api/keep-settings.ts';
import { type Settings, useSettings } from '../api/settings.ts';
import { Field, Select } from '../look/form/field.tsx';
import { FailureNotice } from '../look/state/failure-notice.tsx';
import { Time } from '../look/time/time.tsx';
import { LOCAL_ZONE } from '../look/time/zone.ts';
import { Unseen } from '../look/unseen.tsx';
import own from './settings.module.css';

const DENSITIES: Readonly<Record<Settings['density'], string>> = {
  compact: 'Compact: the most rows on a screen',
  standard: 'Standard',
  roomy: 'Roomy',
};

/** The zones that this browser knows, besides UTC; another browser may have another name for the chosen one. */
function zonesWith(chosen: string | null): string[] {
  const all = new Set([...Intl.supportedValuesOf('timeZone'), ...(chosen === null ? [] : [chosen])]);
  all.delete('UTC');
  return [...all];
}

/** The settings of the time zone and of the row density. */
export function TimesPart() {
  const { zone, density } = useSettings();
  const change = useChangeSettings();
  return (
    <section className={css.part}>
      <h2>Times and lists</h2>
      {change.error && <FailureNotice error={change.error} />}
      <div className={own.fields}>
        <Field label="Times are shown in" htmlFor="settings-zone">
          <Select
            id="settings-zone"
            value={zone ?? ''}
            onChange={(event) =>
              change.mutate({ zone: event.target.value === '' ? null : event.target.value })
            }
          >
            <option value="">This computer’s zone ({LOCAL_ZONE})</option>
            <option value="UTC">UTC</option>
            {zonesWith(zone).map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Rows of lists" htmlFor="settings-density">
          <Select
            id="settings-density"
            value={density}
            onChange={(event) => change.mutate({ density: event.target.value as Settings['density'] })}
          >
            {Object.entries(DENSITIES).map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <Unseen role="status">{change.isSuccess ? 'Saved' : ''}</Unseen>
      <p className={own.quiet}>
        It is <Time at={new Date().toISOString()} />.
      </p>
    </section>
  );
}
