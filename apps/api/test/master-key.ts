/** The `ENCRYPTION_KEY` of the services that tests start. */
export const MASTER_KEY = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
