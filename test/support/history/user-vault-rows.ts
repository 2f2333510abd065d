import type { Address } from '#core/base/encoding/address.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import type { VaultEventKind } from '#core/views/transactions/events/history-event.ts';
import { vaultEventKinds } from '#server/history/event-kinds.ts';
import type { StateInput } from '#server/history/schema/event-tables.ts';
import { vaultEvent } from './history-rows.ts';

type PositionIds = { readonly wallet: Address; readonly vault: Address };

/** In base units of a token with six decimals. */
export const whole = (amount: bigint): bigint => amount * 1_000_000n;

export const isoOf = (unix: bigint): string => new Date(Number(unix) * 1000).toISOString();

/** A wallet with this many whole shares, half of them staked. */
export const held = (ids: PositionIds, at: bigint, shares: bigint): StateInput<'vaultHolding'> => ({
  ...ids,
  slot: toSlot(at),
  at: toUnixSeconds(at),
  held: whole(shares) / 2n,
  staked: whole(shares) / 2n,
});

let number = 0;

/** Each event has its own number. */
export const traded = (
  ids: PositionIds,
  at: bigint,
  { event, ...changes }: Partial<ReturnType<typeof vaultEvent>> & { event: VaultEventKind },
) => {
  number += 1;
  return vaultEvent(
    { number, at, slot: at },
    { ...ids, kind: vaultEventKinds.indexOf(event), ...changes },
  );
};
