import { type Static, Type } from 'typebox';
import type { ClusterStatus, SourceState } from '../../clusters/cluster-status.ts';
import { describe } from '../../http/schemas/describe.ts';
import { IsoInstant, NullableString } from '../../http/schemas/primitives.ts';

const Step = Type.Object({
  step: Type.String({ description: '`grpc`, `websocket` or `polling`' }),
  active: Type.Boolean({ description: 'Whether updates come from this step' }),
  lastError: describe(NullableString, 'Last error of the step; null if there was none'),
  retryAt: Type.Union([IsoInstant, Type.Null()], {
    description: 'When a better step is tried again; null if it is not waiting',
  }),
});

export const SourceStatus = Type.Object(
  {
    step: Type.String({ description: 'Where updates come from: `grpc`, `websocket` or `polling`' }),
    since: describe(IsoInstant, 'When the step became active, UTC'),
    reason: Type.String({ description: 'Why this step is active' }),
    steps: Type.Array(Step, { description: 'All configured steps, best first' }),
  },
  { description: 'The source of updates' },
);

export const SourceAlarmList = Type.Array(
  Type.Object({
    kind: Type.String({
      description:
        '`leap`: a slot that no other source has reached; `other-cluster`: another genesis hash; `subscription`: a notification of an unknown subscription; `skipped-slots`: slots without time that explains them; `wrong-accounts`: accounts that other sources contradict; `malformed-accounts`: accounts that cannot exist',
    }),
    count: Type.Integer({ description: 'Since the start of the process that follows the cluster' }),
    source: Type.String({ description: 'Host of the last one' }),
    reason: Type.String({ description: 'What the last one said' }),
    at: describe(IsoInstant, 'Time of the last one, UTC'),
  }),
  { description: 'What sources said that cannot be true, and that was therefore not used' },
);

export const MissingParts = Type.Array(Type.String(), {
  description: 'What this deployment does not serve, and what to do about it',
});

export const RefusedScans = Type.Object(
  {
    refused: Type.Array(Type.String(), {
      description: 'Kinds of accounts for which every endpoint rejects `getProgramAccounts`',
    }),
    retryAt: Type.Union([IsoInstant, Type.Null()], {
      description: 'When it is tried again; null if nothing is refused',
    }),
  },
  { description: 'Scans of programs' },
);

export const refusedScansJson = (
  { refused, retryInMs }: ClusterStatus['scans'],
  now: number,
): Static<typeof RefusedScans> => ({ refused: [...refused], retryAt: timeIn(retryInMs, now) });

export const sourceAlarmsJson = (alarms: ClusterStatus['alarms']): Static<typeof SourceAlarmList> =>
  alarms.flatMap(({ kind, count, last }) =>
    last === undefined
      ? []
      : [{ kind, count, ...last, at: new Date(Math.round(last.at)).toISOString() }],
  );

const timeIn = (ms: number | undefined, now: number): string | null =>
  ms === undefined ? null : new Date(Math.round(now + ms)).toISOString();

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
    retryAt: timeIn(each.retryInMs, now),
  })),
});
