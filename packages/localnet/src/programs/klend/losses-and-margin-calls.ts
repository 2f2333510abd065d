import { type Address, formatSf } from '@tidegate/core/base';
import { FARMS_PROGRAM } from '@tidegate/core/protocol/farms';
import type { LendingRules } from '@tidegate/core/protocol/klend';
import {
  markObligationForDeleveraging,
  socializeLoss,
  type socializeLossAccounts,
  socializeLossV2,
} from '@tidegate/core/protocol/klend/instructions';
import { obligation as obligationLayout } from '@tidegate/core/protocol/klend/layout';
import { forgiveDebt, markForDeleveraging } from '@tidegate/core/protocol/klend/operations';
import { INSTRUCTIONS_SYSVAR } from '@tidegate/core/protocol/spl';
import type { InvokeContext } from '../../runtime/program.ts';
import { writeAccount } from '../../runtime/typed-accounts.ts';
import {
  anchorFailure,
  anchorHandler,
  type InstructionHandler,
} from '../framework/anchor-program.ts';
import { refreshObligationFarm } from './farm-stake.ts';
import {
  type InstructionAccounts,
  type LendingCall,
  readMarket,
  readObligation,
  readReserve,
  requireAddresses,
  requireMarketAuthority,
  requireNoDurableNonce,
  requirePrograms,
} from './lending-constraints.ts';
import { readElevationGroupReserves, writeLendingPosition } from './position-accounts.ts';
import { requireRefreshOrder } from './refreshes.ts';

/** What only the owner of a market can do to a loan. */
export const lossAndMarginCallHandlers = (rules: LendingRules): InstructionHandler[] => [
  anchorHandler(socializeLoss, 30_000, ({ accounts, args, remaining }, call) => {
    requireRefreshOrder(call, accounts.obligation, [{ reserve: accounts.reserve, kind: 'Debt' }]);
    runSocializeLoss({ call, rules }, { accounts, remaining }, args.liquidityAmount);
  }),
  anchorHandler(socializeLossV2, 30_000, ({ accounts, args, remaining }, call) => {
    requirePrograms(call, accounts, { farmsProgram: FARMS_PROGRAM });
    requireMarketAuthority(call, accounts.lendingMarket, accounts.lendingMarketAuthority);
    runSocializeLoss({ call, rules }, { accounts, remaining }, args.liquidityAmount);
    refreshObligationFarm(call, accounts, { ...accounts, kind: 'Debt' });
  }),
  anchorHandler(markObligationForDeleveraging, 10_000, ({ accounts, args }, call) => {
    const { obligation: address, lendingMarket } = accounts;
    const market = readOwnedMarket(call, accounts);
    const obligation = readObligation(call, address, { market: lendingMarket });
    requireAddresses(call, accounts, { instructionSysvarAccount: INSTRUCTIONS_SYSVAR });
    requireNoDurableNonce({ call, rules }, market);
    const fields = markForDeleveraging(
      obligation,
      { market, time: call.time },
      args.autodeleverageTargetLtvPct,
    );
    writeAccount(call, obligationLayout, { address, fields });
  }),
];

type Loss = {
  readonly accounts: InstructionAccounts<typeof socializeLossAccounts>;
  readonly remaining: readonly Address[];
};

function runSocializeLoss(
  { call, rules }: LendingCall,
  { accounts, remaining }: Loss,
  amount: bigint,
): void {
  const { obligation: address, lendingMarket, reserve: reserveAddress } = accounts;
  const market = readOwnedMarket(call, accounts);
  const obligation = readObligation(call, address, { market: lendingMarket });
  const reserve = readReserve(call, reserveAddress, { market: lendingMarket });
  requireAddresses(call, accounts, { instructionSysvarAccount: INSTRUCTIONS_SYSVAR });
  requireNoDurableNonce({ call, rules }, market);
  const reserves = new Map(readElevationGroupReserves(call, obligation, remaining));
  const before = { obligation, reserves: reserves.set(reserveAddress, reserve) };
  const context = { market, time: call.time, rules };
  const after = forgiveDebt(before, context, { reserve: reserveAddress, amount });
  call.log(`Forgiving debt amount ${fourDecimals(formatSf(after.forgiven))}`);
  writeLendingPosition(call, address, { before, after });
}

/** The program logs four decimals. */
function fourDecimals(text: string): string {
  const [whole = '0', decimals = ''] = text.split('.');
  return `${whole}.${decimals.slice(0, 4).padEnd(4, '0')}`;
}

type OwnedMarket = { readonly lendingMarket: Address; readonly lendingMarketOwner: Address };

function readOwnedMarket(call: InvokeContext, { lendingMarket, lendingMarketOwner }: OwnedMarket) {
  const market = readMarket(call, lendingMarket);
  if (market.lendingMarketOwner === lendingMarketOwner) return market;
  throw anchorFailure(call, 'ConstraintHasOne', 'lendingMarket');
}
