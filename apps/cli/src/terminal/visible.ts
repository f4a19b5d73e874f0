/**
 * Foreign text on one terminal line: control characters, line breaks and bidirectional marks become visible escapes. A
 * patient's name or a receiver's answer must not move the cursor or colour the next line.
 */
export function visible(text: string): string {
  return text.toWellFormed().replaceAll(
    // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
    /[\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
