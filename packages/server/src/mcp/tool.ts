import type { Static, TObject } from 'typebox';
import { CodedError } from '../errors.ts';
import { createBodyValidator } from '../http/validation.ts';
import type { Answer } from './answer/answer.ts';
import type { ApiClient } from './api/api-client.ts';

export type ToolContext = {
  readonly api: ApiClient;
  /** JSON-RPC endpoint that the operator set, for what must not come from the API: the API never names it. */
  readonly rpcUrl: URL | undefined;
};

type ToolDefinition<Input extends TObject> = {
  readonly name: string;
  readonly title: string;
  /** What a model reads to decide whether and how to call it. */
  readonly description: string;
  readonly input: Input;
  readonly run: (input: Static<Input>, context: ToolContext) => Promise<Answer>;
};

export type Tool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: TObject;
  /** Throws CodedErrors only, unless it has a defect. */
  readonly call: (input: unknown, context: ToolContext) => Promise<Answer>;
};

/** A tool whose input is checked before it runs. */
export function defineTool<Input extends TObject>(definition: ToolDefinition<Input>): Tool {
  const { input: inputSchema, run, ...description } = definition;
  const validate = createBodyValidator(inputSchema);
  return {
    ...description,
    inputSchema,
    call: async (input, context) => {
      const values: Readonly<Record<string, unknown>> = Object(input ?? {});
      requireKnownNames(values, definition);
      const result = validate(values);
      if ('error' in result) throw inputError(result.error);
      return await run(result.value as Static<Input>, context);
    },
  };
}

/** A name that is not known would be ignored, and what the caller meant by it too. */
function requireKnownNames(values: object, { name, input }: ToolDefinition<TObject>): void {
  const known = Object.keys(input.properties);
  const unknown = Object.keys(values).filter((each) => !known.includes(each));
  if (unknown.length === 0) return;
  const reason = `${name} has no input ${unknown.join(', ')}. It has: ${known.join(', ')}.`;
  throw new CodedError('INVALID_TOOL_INPUT', { reason });
}

function inputError({ message, context }: CodedError): CodedError {
  const issues = 'issues' in context ? context.issues.map((issue) => issue.message) : [];
  const reason = issues.length === 0 ? message : `${issues.join('. ')}.`;
  return new CodedError('INVALID_TOOL_INPUT', { reason });
}
