import { lazy, type ReactNode } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { failureOf } from './api/failure.ts';
import { Late } from './look/late.tsx';
import { Loaded } from './look/loaded.tsx';
import { Page, WaitingPage } from './look/page.tsx';
import { signInPath } from './session/sign-in/sign-in-path.ts';
import { useMe } from './session/use-me.ts';
import { Shell } from './shell/shell.tsx';
import { Home } from './start/home.tsx';

// Each page comes when it is opened: the first load is the shell and one page.
const SignInPage = lazy(async () => ({
  default: (await import('./session/sign-in/sign-in-page.tsx')).SignInPage,
}));
const SignedInPage = lazy(async () => ({
  default: (await import('./session/sign-in/sign-in-page.tsx')).SignedInPage,
}));
const RequestsPage = lazy(async () => ({
  default: (await import('./requests/requests-page.tsx')).RequestsPage,
}));
const RequestPage = lazy(async () => ({
  default: (await import('./requests/one/request-page.tsx')).RequestPage,
}));
const ProofPage = lazy(async () => ({
  default: (await import('./requests/proof/proof-page.tsx')).ProofPage,
}));
const NewRequestPage = lazy(async () => ({
  default: (await import('./requests/new/new-request-page.tsx')).NewRequestPage,
}));
const BatchesPage = lazy(async () => ({
  default: (await import('./batches/batches-page.tsx')).BatchesPage,
}));
const NewBatchPage = lazy(async () => ({
  default: (await import('./batches/new/new-batch-page.tsx')).NewBatchPage,
}));
const BatchPage = lazy(async () => ({
  default: (await import('./batches/one/batch-page.tsx')).BatchPage,
}));
const DeliveriesPage = lazy(async () => ({
  default: (await import('./deliveries/deliveries-page.tsx')).DeliveriesPage,
}));
const DeliveryPage = lazy(async () => ({
  default: (await import('./deliveries/delivery-page.tsx')).DeliveryPage,
}));
const ReceiversPage = lazy(async () => ({
  default: (await import('./deliveries/receivers-page.tsx')).ReceiversPage,
}));
const ReceiverPage = lazy(async () => ({
  default: (await import('./deliveries/receiver-page.tsx')).ReceiverPage,
}));
const EndpointsPage = lazy(async () => ({
  default: (await import('./endpoints/endpoints-page.tsx')).EndpointsPage,
}));
const EndpointPage = lazy(async () => ({
  default: (await import('./endpoints/endpoint-page.tsx')).EndpointPage,
}));
const WorkPage = lazy(async () => ({ default: (await import('./work/work-page.tsx')).WorkPage }));
const WorkbenchPage = lazy(async () => ({
  default: (await import('./work/workbench-page.tsx')).WorkbenchPage,
}));
const HeldPage = lazy(async () => ({ default: (await import('./held/held-page.tsx')).HeldPage }));
const HeldReviewPage = lazy(async () => ({
  default: (await import('./held/held-review-page.tsx')).HeldReviewPage,
}));
const KnownAnswersPage = lazy(async () => ({
  default: (await import('./known-answers/known-answers-page.tsx')).KnownAnswersPage,
}));
const SeedRequestPage = lazy(async () => ({
  default: (await import('./known-answers/seed-request-page.tsx')).SeedRequestPage,
}));
const ReportsPage = lazy(async () => ({
  default: (await import('./reports/reports-page.tsx')).ReportsPage,
}));
const AuditPage = lazy(async () => ({ default: (await import('./audit/audit-page.tsx')).AuditPage }));
const SealsPage = lazy(async () => ({ default: (await import('./audit/seals-page.tsx')).SealsPage }));
const PrivacyPage = lazy(async () => ({
  default: (await import('./privacy/privacy-page.tsx')).PrivacyPage,
}));
const KeysPage = lazy(async () => ({ default: (await import('./access/keys-page.tsx')).KeysPage }));
const SettingsPage = lazy(async () => ({
  default: (await import('./settings/settings-page.tsx')).SettingsPage,
}));
const StaffPage = lazy(async () => ({ default: (await import('./staff/staff-page.tsx')).StaffPage }));
const StartPage = lazy(async () => ({ default: (await import('./start/start-page.tsx')).StartPage }));
const AccountsPage = lazy(async () => ({
  default: (await import('./access/accounts-page.tsx')).AccountsPage,
}));

/** Every address of the console. */
export function Pages() {
  return (
    <Late frame={notLoaded}>
      <Switch>
        <Route path="/sign-in" component={SignInPage} />
        <Route path="/signed-in" component={SignedInPage} />
        <Route>
          <SignedIn />
        </Route>
      </Switch>
    </Late>
  );
}

function SignedIn() {
  const me = useMe();
  const [path] = useLocation();
  if (me.data === undefined && me.error)
    return failureOf(me.error).kind === 'signed_out' ? (
      <Redirect to={signInPath()} replace />
    ) : (
      <Page title="The console cannot open">{null}</Page>
    );
  return (
    <Loaded query={me} what="session" skeleton={null}>
      {(person) => (
        <Shell me={person}>
          <Late key={path} skeleton={<WaitingPage />} frame={notLoaded}>
            <Switch>
              <Route path="/">
                <Home me={person} />
              </Route>
              <Route path="/start">
                <StartPage me={person} />
              </Route>
              <Route path="/work" component={WorkPage} />
              <Route path="/work/:requestId">
                {({ requestId }) => <WorkbenchPage key={requestId} requestId={requestId} />}
              </Route>
              <Route path="/requests" component={RequestsPage} />
              <Route path="/requests/new" component={NewRequestPage} />
              <Route path="/requests/:requestId">
                {({ requestId }) => <RequestPage key={requestId} requestId={requestId} />}
              </Route>
              <Route path="/requests/:requestId/proof">
                {({ requestId }) => <ProofPage key={requestId} requestId={requestId} />}
              </Route>
              <Route path="/batches" component={BatchesPage} />
              <Route path="/batches/new" component={NewBatchPage} />
              <Route path="/batches/:batchId">
                {({ batchId }) => <BatchPage key={batchId} batchId={batchId} />}
              </Route>
              <Route path="/deliveries" component={DeliveriesPage} />
              <Route path="/deliveries/:deliveryId">
                {({ deliveryId }) => <DeliveryPage key={deliveryId} deliveryId={deliveryId} />}
              </Route>
              <Route path="/endpoints" component={EndpointsPage} />
              <Route path="/endpoints/:endpointId">
                {({ endpointId }) => <EndpointPage key={endpointId} endpointId={endpointId} />}
              </Route>
              <Route path="/receivers" component={ReceiversPage} />
              <Route path="/receivers/:host">{({ host }) => <ReceiverPage key={host} host={host} />}</Route>
              <Route path="/held" component={HeldPage} />
              <Route path="/held/:heldId">
                {({ heldId }) => <HeldReviewPage key={heldId} heldId={heldId} />}
              </Route>
              <Route path="/known-answers" component={KnownAnswersPage} />
              <Route path="/known-answers/new" component={SeedRequestPage} />
              <Route path="/reports" component={ReportsPage} />
              <Route path="/accounts" component={AccountsPage} />
              <Route path="/keys" component={KeysPage} />
              <Route path="/staff" component={StaffPage} />
              <Route path="/privacy" component={PrivacyPage} />
              <Route path="/audit" component={AuditPage} />
              <Route path="/audit/seals" component={SealsPage} />
              <Route path="/settings" component={SettingsPage} />
              <Route>
                <Page title="No such page">
                  <p>The address leads nowhere in this console.</p>
                </Page>
              </Route>
            </Switch>
          </Late>
        </Shell>
      )}
    </Loaded>
  );
}

const notLoaded = (message: ReactNode) => <Page title="Not loaded">{message}</Page>;
