// A lease outlives a reload of its tab, which then takes the request again by itself. The mark says nothing of the
// patient, gives nobody a right, and is gone with the tab.
const nameOf = (requestId: string) => `lease:${requestId}`;

export const rememberLease = (requestId: string): void => sessionStorage.setItem(nameOf(requestId), 'held');
export const hasRememberedLease = (requestId: string): boolean =>
  sessionStorage.getItem(nameOf(requestId)) !== null;
export const forgetLease = (requestId: string): void => sessionStorage.removeItem(nameOf(requestId));
