/** Debian's `nobody`: PostgreSQL and PgBouncer refuse to run as root. Empty where the suite itself is not root. */
export const nobody: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
