import type { Static } from 'typebox';
import type { Hook, HookDelivery } from '../../clusters/cluster-hooks.ts';
import type { DeliveryList, HookJson } from './schema.ts';

const isoInstant = (ms: number): string => new Date(ms).toISOString();
const isoInstantOrNull = (ms: number | null | undefined): string | null =>
  ms === null || ms === undefined ? null : isoInstant(ms);

export const hookJson = (hook: Hook): Static<typeof HookJson> => ({
  id: hook.id,
  url: hook.url,
  description: hook.description,
  trigger: hook.trigger,
  state: hook.state,
  disabledReason: hook.disabledReason,
  failingSince: isoInstantOrNull(hook.failingSince),
  sinceSlot: hook.sinceSlot.toString(),
  createdAt: isoInstant(hook.createdAt),
  sides: hook.sides.map(({ subject, side, slot }) => ({ subject, side, slot: slot.toString() })),
});

export const deliveryJson = (
  delivery: HookDelivery,
): Static<typeof DeliveryList>['deliveries'][number] => ({
  id: delivery.id,
  type: delivery.type,
  slot: delivery.slot.toString(),
  createdAt: isoInstant(delivery.createdAt),
  state: delivery.state,
  nextAttemptAt: isoInstantOrNull(delivery.nextAttemptAt),
  finishedAt: isoInstantOrNull(delivery.finishedAt),
  body: delivery.body,
  attempts: delivery.attempts.map(({ at, ...attempt }) => ({ ...attempt, at: isoInstant(at) })),
});
