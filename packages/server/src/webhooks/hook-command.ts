import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { CodedError } from '../errors.ts';
import { TriggerSchema } from './trigger-schema.ts';

const owned = { owner: Type.String(), id: Type.String() };

/** A change of the hooks, as one process requests it from the writer. */
const CommandSchema = Type.Union([
  Type.Object({
    kind: Type.Literal('create'),
    ...owned,
    url: Type.String(),
    description: Type.String(),
    trigger: TriggerSchema,
    secret: Type.String(),
    createdAt: Type.Integer(),
  }),
  Type.Object({ kind: Type.Union([Type.Literal('remove'), Type.Literal('enable')]), ...owned }),
  Type.Object({
    kind: Type.Literal('rotateSecret'),
    ...owned,
    secret: Type.String(),
    previousUntil: Type.Integer(),
  }),
  Type.Object({ kind: Type.Literal('test'), ...owned, delivery: Type.String() }),
  Type.Object({
    kind: Type.Literal('replay'),
    ...owned,
    range: Type.Union([
      Type.Object({ delivery: Type.String() }),
      Type.Object({ since: Type.Integer(), until: Type.Integer() }),
    ]),
  }),
]);

export type HookCommand = Static<typeof CommandSchema>;

const validator = Compile(CommandSchema);

/** Throws MALFORMED_DATA. */
export function parseHookCommand(text: string): HookCommand {
  const command: unknown = JSON.parse(text);
  if (validator.Check(command)) return command;
  throw new CodedError('MALFORMED_DATA', {
    what: 'request',
    reason: 'its fields are not the expected ones',
  });
}
