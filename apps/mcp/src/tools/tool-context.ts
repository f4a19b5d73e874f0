import type { RestClient } from '@insurance-verification/client';
import type { Schemas } from '@insurance-verification/schema';
import type { McpServer } from '@modelcontextprotocol/server';
import type { LeaseBook } from '../lease-book.ts';

/** What a tool works with: one agent's key, and what it leased. */
export interface ToolContext {
  readonly server: McpServer;
  readonly client: RestClient;
  readonly leases: LeaseBook;
  readonly schemas: Schemas;
}
