import type {
  CallToolResult,
  McpServer,
  StandardSchemaWithJSON,
  ToolAnnotations,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { answer } from './answer.ts';
import { shownAnswer, shownInput } from './shown-schema.ts';
import type { ToolContext } from './tool-context.ts';

interface Definition<Input extends z.ZodObject, Output extends z.core.$ZodLooseShape> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Without those that are false by default: to write, and not to be idempotent. */
  readonly annotations: ToolAnnotations;
  readonly input: Input;
  /** The fields of the answer; each answer may also have `notices`. */
  readonly output: Output;
  /** @param gone aborted when nobody waits for the answer any more. */
  run(context: ToolContext, input: z.output<Input>, gone: AbortSignal): Promise<z.input<z.ZodObject<Output>>>;
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
      server.registerTool(name, config, (input, { mcpReq: { signal: gone } }): Promise<CallToolResult> =>
        answer(context, () => definition.run(context, input, gone)),
      );
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
