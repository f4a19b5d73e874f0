// A lease's token outlives a reload of its tab, so that whoever reloads does not lock out themselves. It says nothing of
// the patient, and is gone with the tab.
const nameOf = (requestId: string) => `lease:${requestId}`;

export const rememberLease = (requestId: string, token: string): void =>
  sessionStorage.setItem(nameOf(requestId), token);
export const rememberedLease = (requestId: string): string | null =>
  sessionStorage.getItem(nameOf(requestId));
export const forgetLease = (requestId: string): void => sessionStorage.removeItem(nameOf(requestId));
