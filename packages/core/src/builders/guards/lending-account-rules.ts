import { type Address, nonZeroAddress, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { WRITE } from '../../base/solana/instruction.ts';
import { deriveAddress } from '../../base/solana/pda.ts';
import { userStateAddress } from '../../protocol/farms/pda.ts';
import { FARMS_PROGRAM } from '../../protocol/farms/program.ts';
import type { ReserveView } from '../../protocol/klend/layout/reserve.ts';
import {
  lendingMarketAuthority,
  referrerTokenStateAddress,
  userMetadataAddress,
} from '../../protocol/klend/pda.ts';
import {
  type AccountRule,
  equals,
  exactAddress,
  type GuardCall,
  optionalAccount,
  type RemainingAccountsRule,
} from './account-rules.ts';

/** A reserve in the state that belongs to the called program. */
export const knownReserve: AccountRule = (address, { program, context }) =>
  context.state.reserve(address ?? ZERO_ADDRESS)?.program === program;

export const knownMarket: AccountRule = (address, { program, context }) =>
  context.state.market(address ?? ZERO_ADDRESS)?.program === program;

export const walletObligation: AccountRule = (address, { accounts, program, context }) => {
  const found = context.walletObligation(address ?? ZERO_ADDRESS, program);
  return found !== undefined && found.lendingMarket === accounts['lendingMarket'];
};

/** An obligation of the wallet, or one that the build liquidates. */
export const refreshedObligation: AccountRule = (address, { accounts, program, context }) => {
  const found = context.refreshedObligation(address ?? ZERO_ADDRESS, program);
  return found !== undefined && found.lendingMarket === accounts['lendingMarket'];
};

/** The owner of that obligation; the rule of the obligation covers an unknown one. */
export const obligationOwner = equals(({ accounts, program, context }) => {
  const obligation = context.refreshedObligation(accounts['obligation'] ?? ZERO_ADDRESS, program);
  return obligation?.owner ?? context.wallet;
});

/** The address derived from the wallet, the seeds, the tag and the id. */
export const newObligationAddress = equals(({ accounts, args, program, context }) => {
  const numbers = Uint8Array.of(Number(args['tag']), Number(args['id']));
  const { lendingMarket, seed1Account, seed2Account } = accounts;
  const keys = [context.wallet, lendingMarket, seed1Account, seed2Account];
  return deriveAddress(
    numbers,
    keys.map((key) => key ?? ZERO_ADDRESS),
    program,
  );
});

export const walletMetadataAddress = equals(({ program, context }) =>
  context.derive(userMetadataAddress, context.wallet, program),
);

export const marketAuthority = equals(({ accounts, program, context }) =>
  context.derive(lendingMarketAuthority, accounts['lendingMarket'] ?? ZERO_ADDRESS, program),
);

export const farmsProgram = exactAddress(FARMS_PROGRAM);

/** Rules from the reserve in the account `name`, and the wallet's account of its token. */
export function reserveRules(name: string) {
  const reserveValue =
    <Value>(pick: (reserve: ReserveView, call: GuardCall) => Value) =>
    (call: GuardCall): Value | undefined => {
      const stored = call.context.state.reserve(call.accounts[name] ?? ZERO_ADDRESS);
      return stored === undefined ? undefined : pick(stored.fields, call);
    };
  /** Optional: without it the program uses the stored price. */
  const oracle = (pick: (tokenInfo: ReserveView['config']['tokenInfo']) => Address): AccountRule =>
    optionalAccount(equals(reserveValue(({ config }) => nonZeroAddress(pick(config.tokenInfo)))));
  return {
    market: equals(reserveValue(({ lendingMarket }) => lendingMarket)),
    mint: equals(reserveValue(({ liquidity }) => liquidity.mintPubkey)),
    supply: equals(reserveValue(({ liquidity }) => liquidity.supplyVault)),
    fees: equals(reserveValue(({ liquidity }) => liquidity.feeVault)),
    tokenProgram: equals(reserveValue(({ liquidity }) => liquidity.tokenProgram)),
    collateralMint: equals(reserveValue(({ collateral }) => collateral.mintPubkey)),
    collateralSupply: equals(reserveValue(({ collateral }) => collateral.supplyVault)),
    collateralFarm: equals(reserveValue(({ farmCollateral }) => nonZeroAddress(farmCollateral))),
    debtFarm: equals(reserveValue(({ farmDebt }) => nonZeroAddress(farmDebt))),
    pyth: oracle(({ pythConfiguration }) => pythConfiguration.price),
    switchboard: oracle(({ switchboardConfiguration }) => switchboardConfiguration.priceAggregator),
    switchboardTwap: oracle(
      ({ switchboardConfiguration }) => switchboardConfiguration.twapAggregator,
    ),
    scope: oracle(({ scopeConfiguration }) => scopeConfiguration.priceFeed),
    walletTokens: equals(
      reserveValue(({ liquidity }, { context }) =>
        context.tokenAccount(liquidity.mintPubkey, liquidity.tokenProgram),
      ),
    ),
  };
}

/** The obligation's account in the farm of the instruction; absent without a farm. */
export const obligationFarmUser = equals(({ accounts, context }) => {
  const { reserveFarmState, obligation } = accounts;
  return reserveFarmState === undefined || obligation === undefined
    ? undefined
    : context.derive(userStateAddress, reserveFarmState, obligation);
});

/** Absent without a referrer. */
export const borrowReferrerState = equals((call) => {
  const { obligation, borrowReserve } = call.accounts;
  return referrerState(call, obligation, borrowReserve);
});

/** The referrer of an obligation in the build. */
export const obligationReferrer: AccountRule = (address, { program, context }) =>
  address !== undefined &&
  context.calls.some(({ accounts }) => {
    const { obligation } = accounts;
    return (
      obligation !== undefined &&
      context.walletObligation(obligation, program)?.referrer === address
    );
  });

export const newReferrerState = equals(({ accounts, program, context }) => {
  const { referrer, reserve } = accounts;
  return referrer === undefined || reserve === undefined
    ? undefined
    : context.derive(referrerTokenStateAddress, referrer, reserve, program);
});

/** Writable reserves of the market. */
export const marketReserves: RemainingAccountsRule =
  ({ accounts, program, context }) =>
  ({ address, role }) => {
    const stored = context.state.reserve(address);
    if (role !== WRITE || stored?.program !== program) return false;
    return stored.fields.lendingMarket === accounts['lendingMarket'];
  };

/** Writable reserves of the market, and the referrer's accounts for them. */
export const obligationReserveAccounts: RemainingAccountsRule = (call) => {
  const { obligation } = call.accounts;
  const isReserve = marketReserves(call);
  const states = new Set(call.remaining.map((reserve) => referrerState(call, obligation, reserve)));
  return (meta) => isReserve(meta) || (meta.role === WRITE && states.has(meta.address));
};

function referrerState(
  { program, context }: GuardCall,
  obligation: Address | undefined,
  reserve: Address | undefined,
): Address | undefined {
  const referrer = context.refreshedObligation(obligation ?? ZERO_ADDRESS, program)?.referrer;
  return referrer === undefined || reserve === undefined
    ? undefined
    : context.derive(referrerTokenStateAddress, referrer, reserve, program);
}
