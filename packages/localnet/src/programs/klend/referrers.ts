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

/** The account that counts a referrer's fees of one reserve. */
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

/** The token state for a loan of an obligation with a referrer; undefined without one. */
export function requireReferrerState(
  call: InvokeContext,
  address: Address | undefined,
  { obligation, ...stateKey }: { obligation: Obligation; reserve: Address; mint: Address },
): Address | undefined {
  if (!hasReferrer(obligation)) return undefined;
  if (address === undefined) {
    throw klendRejection('ReferrerAccountMissing', 'its fees have nowhere to go');
  }
  readReferrerState(call, address, { ...stateKey, referrer: obligation.referrer });
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

type RefreshedInterest = {
  /** Before the refresh. */
  readonly position: ObligationPosition;
  readonly context: LendingContext;
  readonly states: readonly Address[];
  readonly fees: ReferrerFees;
};

/**
 * Credits the referrer's share of accrued interest. The program takes the next state only for debts
 * whose reserve shares interest with referrers.
 */
export function creditReferralInterest(
  call: InvokeContext,
  { position, context, states, fees }: RefreshedInterest,
): void {
  const { obligation, reserves } = position;
  if (!hasReferrer(obligation) || context.market.referralFeeBps === 0) return;
  const remainingStates = [...states];
  for (const { borrowReserve } of obligation.borrows.filter(isBorrow)) {
    const { liquidity } = reserveOf(reserves, borrowReserve);
    if (liquidity.absoluteReferralRateSf === 0n) continue;
    const address = remainingStates.shift();
    if (address === undefined || !call.isWritable(address)) {
      throw klendRejection('InvalidAccountInput', 'a token state of the referrer is not writable');
    }
    const stateKey = {
      referrer: obligation.referrer,
      reserve: borrowReserve,
      mint: liquidity.mintPubkey,
    };
    readReferrerState(call, address, stateKey);
    creditReferrer(call, address, fees.get(borrowReserve) ?? ZERO_SF);
  }
}
