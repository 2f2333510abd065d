import type { Address } from '../../../base/encoding/address.ts';
import { WAD } from '../../../base/numbers/decimal-wad.ts';
import type { Slot } from '../../../base/time.ts';
import type { FarmEventKind } from '../events/history-event.ts';
import type { FindDifference } from './explain-states.ts';

/** An event of a stake. `userState` is another one if the stake was received from it. */
export type StakeEvent = {
  readonly slot: Slot;
  readonly kind: FarmEventKind;
  readonly userState: Address | null;
  readonly amount: bigint | null;
};

/** The active stake: scaled by 10^18, except in a delegated farm. */
export const findStakeDifference: FindDifference<bigint, StakeEvent> = (before, after, events) => {
  // a transferred stake is not in the transaction
  if (events.some(({ kind }) => kind === 'transferOwnership')) return undefined;
  let stake = before.state;
  for (const { kind, amount } of events) {
    if (amount === null) continue;
    if (kind === 'setStake') stake = amount;
    if (kind === 'stake') stake += amount * WAD;
    // the program caps the request
    if (kind === 'unstake') stake -= amount < stake ? amount : stake;
  }
  if (stake === after.state) return undefined;
  return `its events make a stake of ${stake}, its account has ${after.state}`;
};
