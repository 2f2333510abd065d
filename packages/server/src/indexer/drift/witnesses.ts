import { userState } from '@tidegate/core/protocol/farms/layout';
import { obligation, reserve } from '@tidegate/core/protocol/klend/layout';
import { vaultState } from '@tidegate/core/protocol/kvault/layout';
import { tokenAccount } from '@tidegate/core/protocol/spl/layout';
import type { AccountKind } from '@tidegate/core/state';
import type { DataSlice } from '../../chain/source/chain-source.ts';

/** The slot of the last update, and its flags. */
const LAST_UPDATE_BYTES = 10;

/**
 * Bytes that nearly every write of an account changes, so that they stand for all of it in most passes. Kinds without such
 * bytes are read as a whole. No slice has all: orders and the owner of a loan change without its last update, for example.
 */
export const witnesses: { readonly [Kind in AccountKind]?: DataSlice } = {
  reserve: { offset: reserve.offsets.lastUpdate, length: LAST_UPDATE_BYTES },
  obligation: { offset: obligation.offsets.lastUpdate, length: LAST_UPDATE_BYTES },
  vault: between(vaultState.offsets.tokenAvailable, vaultState.offsets.vaultAllocationStrategy),
  farmUser: between(userState.offsets.activeStakeScaled, userState.offsets.bump),
  // all that state has of them, but for the mint, which the scan decides
  shares: between(tokenAccount.offsets.owner, tokenAccount.offsets.amount + 8),
};

function between(offset: number, end: number): DataSlice {
  return { offset, length: end - offset };
}
