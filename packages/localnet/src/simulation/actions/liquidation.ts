import { type Address, floorSf, type Instruction, toLamports, WRITE } from '@tidegate/core/base';
import { FARMS_PROGRAM, userStateAddress } from '@tidegate/core/protocol/farms';
import { KLEND_PROGRAM, lendingMarketAuthority } from '@tidegate/core/protocol/klend';
import { liquidateObligationAndRedeemReserveCollateralV2 } from '@tidegate/core/protocol/klend/instructions';
import type { Obligation, Reserve } from '@tidegate/core/protocol/klend/layout';
import { loanToValue, unhealthyLoanToValue } from '@tidegate/core/protocol/klend/math';
import { isBorrow, isDeposit } from '@tidegate/core/protocol/klend/operations';
import {
  associatedTokenAddress,
  INSTRUCTIONS_SYSVAR,
  TOKEN_PROGRAM,
} from '@tidegate/core/protocol/spl';
import type { Signer } from '../../runtime/signer.ts';
import type { TransactionRecord } from '../../runtime/transactions/transaction-record.ts';
import type { Simulator } from '../setup/simulator.ts';
import { refreshInstructions } from './lending-actions.ts';
import { findObligation, type LoanState, refreshedLoan } from './loan-state.ts';
import { openTokenAccount } from './token-instructions.ts';

/**
 * Repays the largest debt of an unhealthy loan for its largest deposit. Returns undefined if the
 * loan is healthy.
 */
export function liquidateLoan(
  simulator: Simulator,
  address: Address,
  liquidator: Signer,
): TransactionRecord | undefined {
  const before = findObligation(simulator, address);
  if (before === undefined || isClearlyHealthy(before)) return undefined;
  const loan = refreshedLoan(simulator, address);
  return loan && liquidateIfUnhealthy(simulator, loan, { address, liquidator });
}

type Liquidation = { readonly address: Address; readonly liquidator: Signer };

/** Like `liquidateLoan`, for a loan that is refreshed already. */
export function liquidateIfUnhealthy(
  simulator: Simulator,
  loan: LoanState,
  { address, liquidator }: Liquidation,
): TransactionRecord | undefined {
  const positions = isUnhealthy(loan.position.obligation) ? selectPositions(loan) : undefined;
  if (positions === undefined) return undefined;
  const instruction = liquidationInstruction(loan, positions, { address, liquidator });
  return simulator.execute({
    instructions: [
      ...openAccounts(positions, liquidator.address),
      ...refreshInstructions(simulator, address),
      instruction,
    ],
    signers: [liquidator],
  });
}

function liquidationInstruction(
  loan: LoanState,
  { debt, deposit }: LiquidationPositions,
  { address, liquidator }: Liquidation,
): Instruction {
  const { lendingMarket } = loan.position.obligation;
  const owner = liquidator.address;
  const userTokenAccount = ({ liquidity }: Reserve) =>
    associatedTokenAddress(owner, liquidity.mintPubkey, liquidity.tokenProgram);
  const collateralMint = deposit.reserve.collateral.mintPubkey;
  return liquidateObligationAndRedeemReserveCollateralV2.build(KLEND_PROGRAM, {
    accounts: {
      liquidator: owner,
      obligation: address,
      lendingMarket,
      lendingMarketAuthority: lendingMarketAuthority(lendingMarket),
      repayReserve: debt.address,
      repayReserveLiquidityMint: debt.reserve.liquidity.mintPubkey,
      repayReserveLiquiditySupply: debt.reserve.liquidity.supplyVault,
      withdrawReserve: deposit.address,
      withdrawReserveLiquidityMint: deposit.reserve.liquidity.mintPubkey,
      withdrawReserveCollateralMint: collateralMint,
      withdrawReserveCollateralSupply: deposit.reserve.collateral.supplyVault,
      withdrawReserveLiquiditySupply: deposit.reserve.liquidity.supplyVault,
      withdrawReserveLiquidityFeeReceiver: deposit.reserve.liquidity.feeVault,
      userSourceLiquidity: userTokenAccount(debt.reserve),
      userDestinationCollateral: associatedTokenAddress(owner, collateralMint, TOKEN_PROGRAM),
      userDestinationLiquidity: userTokenAccount(deposit.reserve),
      collateralTokenProgram: TOKEN_PROGRAM,
      repayLiquidityTokenProgram: debt.reserve.liquidity.tokenProgram,
      withdrawLiquidityTokenProgram: deposit.reserve.liquidity.tokenProgram,
      instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
      ...farmAccounts(address, { debt: debt.reserve, deposit: deposit.reserve }),
      farmsProgram: FARMS_PROGRAM,
    },
    args: {
      liquidityAmount: toLamports(debt.amount),
      minAcceptableReceivedLiquidityAmount: toLamports(0n),
      maxAllowedLtvOverridePercent: 0n,
    },
    remaining: groupReserves(loan.position.obligation),
  });
}

/** Token accounts for the repaid debt and the received collateral. */
function openAccounts({ debt, deposit }: LiquidationPositions, owner: Address): Instruction[] {
  const tokens = [debt.reserve, deposit.reserve].map(({ liquidity }) => {
    return { mint: liquidity.mintPubkey, decimals: 0, tokenProgram: liquidity.tokenProgram };
  });
  const { mintPubkey: mint } = deposit.reserve.collateral;
  const ctoken = { mint, decimals: 0, tokenProgram: TOKEN_PROGRAM };
  return [...tokens, ctoken].map((token) => openTokenAccount(token, owner));
}

/** Prices would have had to double or halve since the last refresh. */
const isClearlyHealthy = ({
  hasDebt,
  borrowFactorAdjustedDebtValueSf: debt,
  ...loan
}: Obligation) => hasDebt === 0 || debt * 2n < loan.unhealthyBorrowValueSf;

const isUnhealthy = (obligation: Obligation): boolean =>
  obligation.hasDebt !== 0 && loanToValue(obligation) >= unhealthyLoanToValue(obligation);

type LiquidationPositions = {
  readonly debt: LiquidationPosition;
  readonly deposit: LiquidationPosition;
};

type LiquidationPosition = {
  readonly address: Address;
  readonly reserve: Reserve;
  readonly amount: bigint;
};

/** The debt and the deposit with the highest value. */
function selectPositions({ position }: LoanState): LiquidationPositions | undefined {
  const { obligation, reserves } = position;
  const largest = <Item extends { readonly marketValueSf: bigint }>(items: readonly Item[]) =>
    items.reduce<Item | undefined>(
      (best, item) => (best === undefined || item.marketValueSf > best.marketValueSf ? item : best),
      undefined,
    );
  const debt = largest(obligation.borrows.filter(isBorrow));
  const deposit = largest(obligation.deposits.filter(isDeposit));
  const debtReserve = debt && reserves.get(debt.borrowReserve);
  const depositReserve = deposit && reserves.get(deposit.depositReserve);
  if (debtReserve === undefined || depositReserve === undefined) return undefined;
  if (debt === undefined || deposit === undefined) return undefined;
  return {
    debt: {
      address: debt.borrowReserve,
      reserve: debtReserve,
      amount: floorSf(debt.borrowedAmountSf),
    },
    deposit: {
      address: deposit.depositReserve,
      reserve: depositReserve,
      amount: deposit.depositedAmount,
    },
  };
}

/** Farms of the debt and the collateral, where the reserves have them. */
function farmAccounts(
  obligation: Address,
  { debt, deposit }: { readonly debt: Reserve; readonly deposit: Reserve },
) {
  const farmOf = (farm: Address) => (/[^1]/.test(farm) ? farm : undefined);
  const [collateralFarm, debtFarm] = [farmOf(deposit.farmCollateral), farmOf(debt.farmDebt)];
  const userStateOf = (farm: Address | undefined) => farm && userStateAddress(farm, obligation);
  return {
    collateralObligationFarmUserState: userStateOf(collateralFarm),
    collateralReserveFarmState: collateralFarm,
    debtObligationFarmUserState: userStateOf(debtFarm),
    debtReserveFarmState: debtFarm,
  };
}

/** In an elevation group, every deposit reserve tracks the debt against it. */
const groupReserves = ({ elevationGroup, deposits }: Obligation) =>
  elevationGroup === 0
    ? []
    : deposits
        .filter(isDeposit)
        .map(({ depositReserve }) => ({ address: depositReserve, role: WRITE }) as const);
