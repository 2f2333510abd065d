import { type Static, Type } from 'typebox';
import type { SourceState } from '../../clusters/served-clusters.ts';
import { IsoInstant, NullableString } from '../../http/schemas/primitives.ts';

const Step = Type.Object({
  step: Type.String({ description: '`grpc`, `websocket` or `polling`' }),
  active: Type.Boolean(),
  lastError: NullableString,
  retryAt: Type.Union([IsoInstant, Type.Null()], {
    description: 'When a better step is tried again; null if it is not waiting',
  }),
});

export const SourceStatus = Type.Object(
  {
    step: Type.String({ description: 'Where updates come from: `grpc`, `websocket` or `polling`' }),
    since: IsoInstant,
    reason: Type.String({ description: 'Why this step is active' }),
    steps: Type.Array(Step, { description: 'All configured steps, best first' }),
  },
  { description: 'The source of updates' },
);

export const MissingParts = Type.Array(Type.String(), {
  description: 'What this deployment does not serve, and what to do about it',
});

export const sourceStatusJson = (
  { step, since, reason, steps }: SourceState,
  now: number,
): Static<typeof SourceStatus> => ({
  step,
  since: new Date(since).toISOString(),
  reason,
  steps: steps.map((each) => ({
    step: each.step,
    active: each.active,
    lastError: each.lastError ?? null,
    retryAt:
      each.retryInMs === undefined
        ? null
        : new Date(Math.round(now + each.retryInMs)).toISOString(),
  })),
});
