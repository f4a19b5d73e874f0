let clientCount = 0;

/**
 * The header by which a proxy names a client's address, a new one for each: links and sign-ins are limited to ten a
 * minute an address, and a file's tests need more.
 */
export function aClientAddress(): { readonly 'x-forwarded-for': string } {
  clientCount += 1;
  return { 'x-forwarded-for': `10.${process.pid & 255}.${clientCount >> 8}.${clientCount & 255}` };
}
