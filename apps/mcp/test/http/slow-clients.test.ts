import { head } from '@insurance-verification/testing/wire/head';
import { expectTimedOut, slowClients } from '@insurance-verification/testing/wire/slow-clients';
import { test } from 'vitest';
import { callHeaders, HOST, useHttpServer } from './an-http-server.ts';

// The real limits, 10 s for headers and 30 s for a request, for all clients at once. The test waits for the answers
// and measures no times.
const patience = { timeout: 90_000 };

const server = useHttpServer();

// Otherwise a few hundred idle connections would hold every socket that the process may have.
test('a client that is slow, however it is, gets a 408 and the connection closes', patience, () =>
  expectTimedOut(
    server().url,
    slowClients((...headers) => head('POST /mcp', [...callHeaders, ...headers], HOST)),
    server().problem('request_timeout'),
  ),
);
