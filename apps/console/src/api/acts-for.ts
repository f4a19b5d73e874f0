const NAME = 'account';

/** The id of the account that this tab acts for; null: the one that the service takes without a word. */
export const actsFor = (): string | null => sessionStorage.getItem(NAME);

/** Goes on as whoever one was. */
export const forgetAccount = (): void => sessionStorage.removeItem(NAME);

/** Acts for another account, from the first page on: what is on screen is the one before's. */
export function actFor(accountId: string): void {
  sessionStorage.setItem(NAME, accountId);
  location.assign('/console');
}
