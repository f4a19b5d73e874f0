import type { Config } from '../config/config.ts';

/**
 * Loads the packages that calls import, before the first call. Node reads a module from its file, and a process without a
 * descriptor left would refuse the sign-ins and agents that need one. It takes 0.3 s, while the database opens.
 */
export async function loadForCalls({ roles, hasConsole, provider }: Config): Promise<void> {
  if (!roles.includes('http')) return;
  await Promise.all([
    import('../http/openapi/openapi.ts'),
    import('../mcp/serve-mcp.ts'),
    ...(hasConsole ? [import('@simplewebauthn/server'), import('@simplewebauthn/server/helpers')] : []),
    ...(provider ? [import('openid-client'), import('jose')] : []),
  ]);
}
