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

/** One that state holds, of the program that is called. */
export const knownReserve: AccountRule = (address, { program, build }) =>
  build.state.reserve(address ?? ZERO_ADDRESS)?.program === program;

export const knownMarket: AccountRule = (address, { program, build }) =>
  build.state.market(address ?? ZERO_ADDRESS)?.program === program;

export const walletObligation: AccountRule = (address, { accounts, program, build }) => {
  const found = build.ownObligation(address ?? ZERO_ADDRESS, program);
  return found !== undefined && found.lendingMarket === accounts['lendingMarket'];
};

/** Where an obligation of the wallet with these seeds, tag and number lies. */
export const newObligationAddress = equals(({ accounts, args, program, build }) => {
  const numbers = Uint8Array.of(Number(args['tag']), Number(args['id']));
  const { lendingMarket, seed1Account, seed2Account } = accounts;
  const keys = [build.wallet, lendingMarket, seed1Account, seed2Account];
  return deriveAddress(
    numbers,
    keys.map((key) => key ?? ZERO_ADDRESS),
    program,
  );
});

export const walletMetadataAddress = equals(({ program, build }) =>
  build.derive(userMetadataAddress, build.wallet, program),
);

export const marketAuthority = equals(({ accounts, program, build }) =>
  build.derive(lendingMarketAuthority, accounts['lendingMarket'] ?? ZERO_ADDRESS, program),
);

export const farmsProgram = exactAddress(FARMS_PROGRAM);

/** What the reserve that an instruction calls `name` says about itself, and the wallet's account of its token. */
export function reserveRules(name: string) {
  const fact =
    <Fact>(pick: (reserve: ReserveView, call: GuardCall) => Fact) =>
    (call: GuardCall): Fact | undefined => {
      const held = call.build.state.reserve(call.accounts[name] ?? ZERO_ADDRESS);
      return held === undefined ? undefined : pick(held.fields, call);
    };
  /** Without it the program keeps the price it has. */
  const oracle = (pick: (tokenInfo: ReserveView['config']['tokenInfo']) => Address): AccountRule =>
    optionalAccount(equals(fact(({ config }) => nonZeroAddress(pick(config.tokenInfo)))));
  return {
    market: equals(fact(({ lendingMarket }) => lendingMarket)),
    mint: equals(fact(({ liquidity }) => liquidity.mintPubkey)),
    supply: equals(fact(({ liquidity }) => liquidity.supplyVault)),
    fees: equals(fact(({ liquidity }) => liquidity.feeVault)),
    tokenProgram: equals(fact(({ liquidity }) => liquidity.tokenProgram)),
    collateralMint: equals(fact(({ collateral }) => collateral.mintPubkey)),
    collateralSupply: equals(fact(({ collateral }) => collateral.supplyVault)),
    collateralFarm: equals(fact(({ farmCollateral }) => nonZeroAddress(farmCollateral))),
    debtFarm: equals(fact(({ farmDebt }) => nonZeroAddress(farmDebt))),
    pyth: oracle(({ pythConfiguration }) => pythConfiguration.price),
    switchboard: oracle(({ switchboardConfiguration }) => switchboardConfiguration.priceAggregator),
    switchboardTwap: oracle(
      ({ switchboardConfiguration }) => switchboardConfiguration.twapAggregator,
    ),
    scope: oracle(({ scopeConfiguration }) => scopeConfiguration.priceFeed),
    walletTokens: equals(
      fact(({ liquidity }, { build }) =>
        build.tokenAccount(liquidity.mintPubkey, liquidity.tokenProgram),
      ),
    ),
  };
}

/** The obligation's state in the farm of the instruction; absent without a farm. */
export const obligationFarmUser = equals(({ accounts, build }) => {
  const { reserveFarmState, obligation } = accounts;
  return reserveFarmState === undefined || obligation === undefined
    ? undefined
    : build.derive(userStateAddress, reserveFarmState, obligation);
});

/** Absent without a referrer. */
export const borrowReferrerState = equals((call) => {
  const { obligation, borrowReserve } = call.accounts;
  return referrerState(call, obligation, borrowReserve);
});

/** One that an obligation of the build has. */
export const obligationReferrer: AccountRule = (address, { program, build }) =>
  address !== undefined &&
  build.calls.some(({ accounts }) => {
    const { obligation } = accounts;
    return (
      obligation !== undefined && build.ownObligation(obligation, program)?.referrer === address
    );
  });

export const newReferrerState = equals(({ accounts, program, build }) => {
  const { referrer, reserve } = accounts;
  return referrer === undefined || reserve === undefined
    ? undefined
    : build.derive(referrerTokenStateAddress, referrer, reserve, program);
});

/** Reserves of the market, to write. */
export const marketReserves: RemainingAccountsRule =
  ({ accounts, program, build }) =>
  ({ address, role }) => {
    const held = build.state.reserve(address);
    if (role !== WRITE || held?.program !== program) return false;
    return held.fields.lendingMarket === accounts['lendingMarket'];
  };

/** The same, and the referrer's states for them. */
export const obligationReserveAccounts: RemainingAccountsRule = (call) => {
  const { obligation } = call.accounts;
  const isReserve = marketReserves(call);
  const states = new Set(call.remaining.map((reserve) => referrerState(call, obligation, reserve)));
  return (meta) => isReserve(meta) || (meta.role === WRITE && states.has(meta.address));
};

function referrerState(
  { program, build }: GuardCall,
  obligation: Address | undefined,
  reserve: Address | undefined,
): Address | undefined {
  const referrer = build.ownObligation(obligation ?? ZERO_ADDRESS, program)?.referrer;
  return referrer === undefined || reserve === undefined
    ? undefined
    : build.derive(referrerTokenStateAddress, referrer, reserve, program);
}
