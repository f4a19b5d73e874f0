const NAME = 'account';

/** The id of the account that this tab acts for, from the session storage; null: the default of the service. */
export const actsFor = (): string | null => sessionStorage.getItem(NAME);

/** Removes the chosen account: the tab acts for the default again. */
export const forgetAccount = (): void => sessionStorage.removeItem(NAME);

/**
 * Chooses the account that this tab acts for, and loads the first page, since the present one shows another account.
 */
export function actFor(accountId: string): void {
  sessionStorage.setItem(NAME, accountId);
  location.assign('/console');
}
