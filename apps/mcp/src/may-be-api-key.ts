/** Whether the text could be an API key at all: any other text is wrong without asking the service. */
export function mayBeApiKey(text: string): boolean {
  return /^[!-~]{1,200}$/.test(text);
}
