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

type PropsOf<Page> = Page extends (props: infer Props) => ReactNode ? Props : never;

/** A page that comes when it is opened: the first load is the shell and one page. */
const pageIn = <Pages, Name extends keyof Pages>(load: () => Promise<Pages>, name: Name) =>
  lazy(async () => ({ default: (await load())[name] as (props: PropsOf<Pages[Name]>) => ReactNode }));

const SignInPage = pageIn(() => import('./session/sign-in/sign-in-page.tsx'), 'SignInPage');
const SignedInPage = pageIn(() => import('./session/sign-in/sign-in-page.tsx'), 'SignedInPage');
const RequestsPage = pageIn(() => import('./requests/requests-page.tsx'), 'RequestsPage');
const RequestPage = pageIn(() => import('./requests/one/request-page.tsx'), 'RequestPage');
const ProofPage = pageIn(() => import('./requests/proof/proof-page.tsx'), 'ProofPage');
const NewRequestPage = pageIn(() => import('./requests/new/new-request-page.tsx'), 'NewRequestPage');
const BatchesPage = pageIn(() => import('./batches/batches-page.tsx'), 'BatchesPage');
const NewBatchPage = pageIn(() => import('./batches/new/new-batch-page.tsx'), 'NewBatchPage');
const BatchPage = pageIn(() => import('./batches/one/batch-page.tsx'), 'BatchPage');
const DeliveriesPage = pageIn(() => import('./deliveries/deliveries-page.tsx'), 'DeliveriesPage');
const DeliveryPage = pageIn(() => import('./deliveries/delivery-page.tsx'), 'DeliveryPage');
const ReceiversPage = pageIn(() => import('./deliveries/receivers-page.tsx'), 'ReceiversPage');
const ReceiverPage = pageIn(() => import('./deliveries/receiver-page.tsx'), 'ReceiverPage');
const EndpointsPage = pageIn(() => import('./endpoints/endpoints-page.tsx'), 'EndpointsPage');
const EndpointPage = pageIn(() => import('./endpoints/endpoint-page.tsx'), 'EndpointPage');
const WorkPage = pageIn(() => import('./work/work-page.tsx'), 'WorkPage');
const WorkbenchPage = pageIn(() => import('./work/workbench-page.tsx'), 'WorkbenchPage');
const HeldPage = pageIn(() => import('./held/held-page.tsx'), 'HeldPage');
const HeldReviewPage = pageIn(() => import('./held/held-review-page.tsx'), 'HeldReviewPage');
const KnownAnswersPage = pageIn(() => import('./known-answers/known-answers-page.tsx'), 'KnownAnswersPage');
const SeedRequestPage = pageIn(() => import('./known-answers/seed-request-page.tsx'), 'SeedRequestPage');
const ReportsPage = pageIn(() => import('./reports/reports-page.tsx'), 'ReportsPage');
const AuditPage = pageIn(() => import('./audit/audit-page.tsx'), 'AuditPage');
const SealsPage = pageIn(() => import('./audit/seals-page.tsx'), 'SealsPage');
const PrivacyPage = pageIn(() => import('./privacy/privacy-page.tsx'), 'PrivacyPage');
const KeysPage = pageIn(() => import('./access/keys-page.tsx'), 'KeysPage');
const SettingsPage = pageIn(() => import('./settings/settings-page.tsx'), 'SettingsPage');
const StaffPage = pageIn(() => import('./staff/staff-page.tsx'), 'StaffPage');
const StartPage = pageIn(() => import('./start/start-page.tsx'), 'StartPage');
const AccountsPage = pageIn(() => import('./access/accounts-page.tsx'), 'AccountsPage');

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
