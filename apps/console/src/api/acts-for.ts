const NAME = 'account';

/** The id of the account that this tab acts for, from the session storage; null: the default of the service. */
export const actsFor = (): string | null => sessionStorage.getItem(NAME);

const DEMO = 'demo-day';

/** Whether this tab acts for a clinic of the demo day. */
export const showsDemoDay = (): boolean => sessionStorage.getItem(DEMO) !== null;

/** Shows the demo day in this tab: acts for one of its clinics. */
export function showDemoDay(accountId: string): void {
  sessionStorage.setItem(DEMO, accountId);
  sessionStorage.setItem(NAME, accountId);
  location.assign('/console');
}

/** Acts for the default account again, once the demo day is gone. */
export function leaveDemoDay(): void {
  sessionStorage.removeItem(DEMO);
  sessionStorage.removeItem(NAME);
  location.assign('/console');
}

/** Removes the chosen account: the tab acts for the default again. */
export const forgetAccount = (): void => sessionStorage.removeItem(NAME);

/**
 * Chooses the account that this tab acts for, and loads the first page, since the present one shows another account.
 */
export function actFor(accountId: string): void {
  sessionStorage.setItem(NAME, accountId);
  location.assign('/console');
}
