import { KeysPart } from '../keys/keys-part.tsx';
import { Page } from '../look/page/page.tsx';
import { PasskeysPart } from '../passkeys/passkeys-part.tsx';
import { SessionsPart } from '../staff/sessions-part.tsx';
import { TimesPart } from './times-part.tsx';

/** `/settings`: the time zone, the row density, the keys, the passkeys and the sessions of the signed-in person. */
export function SettingsPage() {
  return (
    <Page title="Settings">
      <TimesPart />
      <KeysPart />
      <PasskeysPart />
      <SessionsPart whose="own" />
    </Page>
  );
}
