import { KeysPart } from '../keys/keys-part.tsx';
import { Page } from '../look/page/page.tsx';
import { PasskeysPart } from '../passkeys/passkeys-part.tsx';
import { SessionsPart } from '../staff/sessions-part.tsx';
import { TimesPart } from './times-part.tsx';

/** How the console is for this person, in every browser, and how they come in. */
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
