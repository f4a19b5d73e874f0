/** Whether the client would send this text as a key: any other one cannot be right, and needs no asking. */
export function mayBeApiKey(text: string): boolean {
  return /^[!-~]{1,200}$/.test(text);
}
