import { type Settings, useChangeSettings, useSettings } from '../api/settings.ts';
import { LetterKeys } from '../keys/keys-dialog.tsx';
import { Field, Select } from '../look/field.tsx';
import formCss from '../look/form.module.css';
import css from '../look/layout.module.css';
import { Unseen } from '../look/mark.tsx';
import { FailureNotice } from '../look/notice.tsx';
import { Page } from '../look/page.tsx';
import { LOCAL_ZONE, Time } from '../look/time.tsx';
import { SessionsPart } from '../staff/sessions-part.tsx';
import { PasskeysPart } from './passkeys-part.tsx';

/** `/settings`: the time zone, the row density, the keys, the passkeys and the sessions of the signed-in person. */
export function SettingsPage() {
  return (
    <Page title="Settings">
      <TimesPart />
      <section className={css.part}>
        <h2>Keys</h2>
        <LetterKeys />
        <p className={css.quiet}>The key ? lists them all.</p>
      </section>
      <PasskeysPart />
      <SessionsPart whose="own" />
    </Page>
  );
}

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
function TimesPart() {
  const { zone, density } = useSettings();
  const change = useChangeSettings();
  return (
    <section className={css.part}>
      <h2>Times and lists</h2>
      {change.error && <FailureNotice error={change.error} />}
      <div className={formCss.fields}>
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
      <p className={css.quiet}>
        It is <Time at={new Date().toISOString()} />.
      </p>
    </section>
  );
}
