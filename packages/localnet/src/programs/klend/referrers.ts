import { type Address, addSf, type Sf, ZERO_ADDRESS, ZERO_SF } from '@tidegate/core/base';
import { klendRejection, referrerTokenStateAddress } from '@tidegate/core/protocol/klend';
import {
  type Obligation,
  type ReferrerTokenState,
  referrerTokenState,
} from '@tidegate/core/protocol/klend/layout';
import {
  isBorrow,
  type LendingContext,
  type ObligationPosition,
  type ReferrerFees,
  reserveOf,
} from '@tidegate/core/protocol/klend/operations';
import type { InvokeContext } from '../../runtime/program.ts';
import { readAccount, writeAccount } from '../../runtime/typed-accounts.ts';
import { hasReferrer } from './position-accounts.ts';

export type ReferrerStateKey = {
  readonly referrer: Address;
  readonly reserve: Address;
  readonly mint: Address;
};

/** Where the referrer's fees of one reserve are counted. */
export function readReferrerState(
  call: InvokeContext,
  address: Address,
  { referrer, reserve, mint }: ReferrerStateKey,
): ReferrerTokenState {
  const state = readAccount(call, referrerTokenState, address);
  if (state.mint === ZERO_ADDRESS || state.referrer === ZERO_ADDRESS) {
    throw klendRejection('ReferrerAccountNotInitialized', 'it names no referrer');
  }
  if (state.mint !== mint) {
    throw klendRejection('ReferrerAccountMintMissmatch', `it counts ${state.mint}`);
  }
  if (address !== referrerTokenStateAddress(state.referrer, reserve, call.program)) {
    throw klendRejection('ReferrerAccountWrongAddress', `it is not for the reserve ${reserve}`);
  }
  if (state.referrer !== referrer) {
    throw klendRejection('ReferrerAccountReferrerMissmatch', `it belongs to ${state.referrer}`);
  }
  return state;
}

/** The state that a loan of an obligation with a referrer needs; undefined without a referrer. */
export function requireReferrerState(
  call: InvokeContext,
  address: Address | undefined,
  { obligation, ...place }: { obligation: Obligation; reserve: Address; mint: Address },
): Address | undefined {
  if (!hasReferrer(obligation)) return undefined;
  if (address === undefined) {
    throw klendRejection('ReferrerAccountMissing', 'its fees have nowhere to go');
  }
  readReferrerState(call, address, { ...place, referrer: obligation.referrer });
  return address;
}

export function creditReferrer(call: InvokeContext, address: Address, fee: Sf): void {
  const state = readAccount(call, referrerTokenState, address);
  const fields = {
    ...state,
    amountUnclaimedSf: addSf(state.amountUnclaimedSf, fee),
    amountCumulativeSf: addSf(state.amountCumulativeSf, fee),
  };
  if (fee > 0n) writeAccount(call, referrerTokenState, { address, fields });
}

type Refreshed = {
  /** Before the refresh. */
  readonly position: ObligationPosition;
  readonly terms: LendingContext;
  readonly states: readonly Address[];
  readonly fees: ReferrerFees;
};

/**
 * The referrer's part of the interest of a refresh. The program takes the next state only for a debt whose reserve
 * shares its interest with referrers.
 */
export function creditReferralInterest(
  call: InvokeContext,
  { position, terms, states, fees }: Refreshed,
): void {
  const { obligation, reserves } = position;
  if (!hasReferrer(obligation) || terms.market.referralFeeBps === 0) return;
  const left = [...states];
  for (const { borrowReserve } of obligation.borrows.filter(isBorrow)) {
    const { liquidity } = reserveOf(reserves, borrowReserve);
    if (liquidity.absoluteReferralRateSf === 0n) continue;
    const address = left.shift();
    if (address === undefined || !call.isWritable(address)) {
      throw klendRejection('InvalidAccountInput', 'a token state of the referrer is not writable');
    }
    const place = {
      referrer: obligation.referrer,
      reserve: borrowReserve,
      mint: liquidity.mintPubkey,
    };
    readReferrerState(call, address, place);
    creditReferrer(call, address, fees.get(borrowReserve) ?? ZERO_SF);
  }
}
