import type { LiveKey } from '@insurance-verification/store';
import type {
  CallToolResult,
  McpServer,
  StandardSchemaWithJSON,
  ToolAnnotations,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { ProblemError, ValidationFailedError } from '../../procedure/problem.ts';
import type { Log } from '../../telemetry/log.ts';
import type { CallOperation } from '../call-operation.ts';
import type { LeaseBook } from '../leases/lease-book.ts';
import { describeLoss, NotHeldError, TooManyLeasesError } from '../leases/lease.ts';
import type { Presence } from '../leases/presence.ts';
import { shownAnswer, shownInput } from './tool-schema.ts';

/** One client of one agent's key, for one message. */
export interface ToolContext {
  /** Calls operations with the key, for as long as the client waits. */
  readonly call: CallOperation;
  /** Calls operations with the key later, to renew what is leased now. */
  readonly renewal: CallOperation;
  /** The leases of the key. */
  readonly book: LeaseBook;
  readonly presence: Presence;
  /** Whose key it is. */
  readonly caller: LiveKey;
  /** Counts a new subscription, as a new endpoint. @throws {ProblemError} `rate_limited` */
  readonly countSubscription: () => Promise<void>;
  readonly log: Log;
}

interface Definition<Input extends z.ZodObject, Output extends z.core.$ZodLooseShape> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Without those that are false by default: to write, and not to be idempotent. */
  readonly annotations: ToolAnnotations;
  readonly input: Input;
  /** The fields of the answer; each answer may also have `notices`. */
  readonly output: Output;
  run(context: ToolContext, input: z.output<Input>): Promise<z.input<z.ZodObject<Output>>>;
}

/** A tool, created once for all agents. */
export interface Tool {
  addTo(server: McpServer, context: ToolContext): void;
}

/** Defines a tool. Converts its schemas to JSON Schema once, not with every message as the SDK does. */
export function tool<Input extends z.ZodObject, Output extends z.core.$ZodLooseShape>(
  definition: Definition<Input, Output>,
): Tool {
  const { name, title, description, annotations } = definition;
  const inputSchema = converted(definition.input);
  // Open to fields that a newer service adds: the client validates the answer too.
  const outputSchema = converted(z.looseObject({ ...definition.output, notices }));
  return {
    addTo: (server, context) => {
      const config = { title, description, annotations, inputSchema, outputSchema };
      server.registerTool(name, config, (input) => answer(context, () => definition.run(context, input)));
    },
  };
}

/** What the agent must know before its next step, such as a lease that was lost: the server's instructions describe it. */
const notices = z.array(z.string()).optional();

type Conversion = Parameters<StandardSchemaWithJSON['~standard']['jsonSchema']['input']>[0];

function converted<Schema extends z.ZodType>(
  schema: Schema,
): StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>> {
  const { validate, jsonSchema } = schema['~standard'];
  const made = {
    input: memo((options: Conversion) => shownInput(jsonSchema.input(options))),
    output: memo((options: Conversion) => shownAnswer(jsonSchema.output(options))),
  };
  return { '~standard': { version: 1, vendor: 'zod', validate, jsonSchema: made } };
}

function memo<Options, Result>(convert: (options: Options) => Result): (options: Options) => Result {
  let result: Result | undefined;
  return (options) => (result ??= convert(options));
}

/**
 * Runs a tool and answers with its document, or with an error that the agent can correct; adds notices of lost leases.
 */
async function answer(context: ToolContext, work: () => Promise<object>): Promise<CallToolResult> {
  const { book, presence, log } = context;
  presence.call();
  const losses = await book.takeLosses(presence);
  const extra = losses.length > 0 ? { notices: losses.map((lease) => describeLoss(lease)) } : {};
  try {
    const document = { ...(await work()), ...extra };
    return { content: [{ type: 'text', text: JSON.stringify(document) }], structuredContent: document };
  } catch (err) {
    const document = { ...(describe(err) ?? unknownFailure(log, err)), ...extra };
    return { content: [{ type: 'text', text: JSON.stringify(document) }], isError: true };
  }
}

/** The message and what an agent can act on; undefined for a failure of a tool itself. Without patient data or the key. */
function describe(err: unknown): object | undefined {
  if (err instanceof NotHeldError) return { error: err.message, problem: err.code };
  if (err instanceof ProblemError) return { error: err.message, problem: err.code };
  if (err instanceof ValidationFailedError) return { error: err.message, detail: err.detail };
  return err instanceof TooManyLeasesError ? { error: err.message } : undefined;
}

/** The SDK would send the message of any error to the agent. */
function unknownFailure(log: Log, err: unknown): object {
  log.error({ err }, 'a tool failed');
  const { message, code } = new ProblemError('internal');
  return { error: message, problem: code };
}
