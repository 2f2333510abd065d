import type { ObligationKind } from '@tidegate/core/protocol/klend';
import { marketAddress, reserveAddress } from '../../genesis/accounts/market.ts';
import type { SeededKeys } from '../../genesis/seed/seeded-keys.ts';
import type { MarketKey } from '../../genesis/specs/market-specs.ts';
import { type TokenSymbol, tokenBySymbol } from '../../genesis/specs/token-specs.ts';
import { type ActionCounts, attempt } from '../actions/attempt.ts';
import { ensureBalance } from '../actions/ensure-balance.ts';
import {
  debtAmount,
  executeBorrow,
  executeDeposit,
  executeRepay,
  executeWithdraw,
  joinElevationGroup,
  type LoanRef,
  loanAddress,
  maxBorrowAmount,
  maxWithdrawAmount,
} from '../actions/lending-actions.ts';
import { decreaseLoop, increaseLoop } from '../actions/leverage-loops.ts';
import { findObligation, tokensForUsd } from '../actions/loan-state.ts';
import { decreaseAmounts, increaseAmounts } from '../actions/loop-amounts.ts';
import type { SimulationContext } from '../setup/simulation-setup.ts';

/** What a wallet does each time it acts. */
export type Strategy = (context: SimulationContext, wallet: number, counts: ActionCounts) => void;

/** A loan with one deposit and one debt. */
export type LoanStrategy = {
  readonly market: MarketKey;
  readonly kind: 'vanilla' | 'lending' | 'multiply' | 'leverage';
  readonly collateral: TokenSymbol;
  readonly debt?: TokenSymbol;
  readonly group?: number;
  /** Of one deposit. */
  readonly usd: bigint;
  /** The debt that the wallet aims for, in thousandths of the maximum. */
  readonly targetBorrowPermille: bigint;
};

const THOUSAND = 1_000n;

/** Deposits, borrows, repays and withdraws at random around the target debt. */
export const loanStrategy =
  (strategy: LoanStrategy): Strategy =>
  (context, wallet, counts) => {
    const loan = walletLoan(context, wallet, strategy);
    const isOpen = findObligation(context.simulator, loanAddress(loan)) !== undefined;
    const roll = context.random.between(0n, 99n);
    const run = { strategy, loan, counts };
    if (!isOpen) addDeposit(context, run);
    else if (context.sentiment === 'greedy' && strategy.debt !== undefined)
      borrowMore(context, withGreedyTarget(run));
    else if (roll < 35n) addDeposit(context, run);
    else if (strategy.debt === undefined) withdrawSome(context, run);
    else if (roll < 65n) borrowMore(context, run);
    else if (roll < 88n) repaySome(context, run);
    else withdrawSome(context, run);
  };

/** One execution of a strategy on a wallet's loan. */
export type LoanStrategyRun = {
  readonly strategy: LoanStrategy;
  readonly loan: LoanRef;
  readonly counts: ActionCounts;
};

/** Buys the missing tokens first. */
export function depositUsd(
  { simulator, agents, keys }: SimulationContext,
  { loan, counts }: Omit<LoanStrategyRun, 'strategy'>,
  { market, collateral, usd }: Pick<LoanStrategy, 'market' | 'collateral' | 'usd'>,
): void {
  const reserve = reserveAddress(keys, market, collateral);
  attempt(counts, () => {
    const amount = tokensForUsd(simulator, reserve, usd);
    const token = tokenBySymbol(collateral);
    ensureBalance(simulator, { owner: loan.owner, maker: agents.marketMaker }, { token, amount });
    return executeDeposit(simulator, loan, { reserve, amount });
  });
}

/** In thousandths of the maximum debt. */
const GREEDY_PERMILLE = 965n;

const withGreedyTarget = (run: LoanStrategyRun): LoanStrategyRun => ({
  ...run,
  strategy: { ...run.strategy, targetBorrowPermille: GREEDY_PERMILLE },
});

function addDeposit(context: SimulationContext, { strategy, loan, counts }: LoanStrategyRun): void {
  const { simulator, random } = context;
  const usd = (strategy.usd * random.between(300n, 1_700n)) / THOUSAND;
  depositUsd(context, { loan, counts }, { ...strategy, usd });
  const { group } = strategy;
  const obligation = findObligation(simulator, loanAddress(loan));
  if (group === undefined || obligation === undefined) return;
  if (obligation.elevationGroup !== group)
    attempt(counts, () => joinElevationGroup(simulator, loan, group));
}

const isLooped = ({ kind }: LoanStrategy): boolean => kind === 'multiply' || kind === 'leverage';

function borrowMore(context: SimulationContext, run: LoanStrategyRun): void {
  const { simulator, random, keys } = context;
  const { strategy, loan, counts } = run;
  const { debt, targetBorrowPermille } = strategy;
  if (debt === undefined) return;
  if (isLooped(strategy)) {
    increaseLoopToTarget(context, run);
    return;
  }
  const reserve = reserveAddress(keys, strategy.market, debt);
  attempt(counts, () => {
    const maximum = maxBorrowAmount(simulator, loan, reserve);
    const debtOwed = debtAmount(simulator, loan, reserve);
    const missing = ((maximum + debtOwed) * targetBorrowPermille) / THOUSAND - debtOwed;
    const amount = (missing * random.between(600n, 1_000n)) / THOUSAND;
    return amount > 0n ? executeBorrow(simulator, loan, { reserve, amount }) : undefined;
  });
}

const loopReserves = (
  keys: SeededKeys,
  { market, collateral }: LoanStrategy,
  debt: TokenSymbol,
) => ({
  collateral: reserveAddress(keys, market, collateral),
  debt: reserveAddress(keys, market, debt),
});

/** Borrows up to the target. */
export function increaseLoopToTarget(
  { simulator, agents, keys }: SimulationContext,
  { strategy, loan, counts }: LoanStrategyRun,
): void {
  const { debt, targetBorrowPermille } = strategy;
  if (debt === undefined) return;
  const reserves = loopReserves(keys, strategy, debt);
  attempt(counts, () => {
    const amounts = increaseAmounts(simulator, loan, { ...reserves, targetBorrowPermille });
    return amounts && increaseLoop(simulator, { loan, maker: agents.marketMaker, ...amounts });
  });
}

function decreaseLoopRandomly(
  { simulator, agents, random, keys }: SimulationContext,
  { strategy, loan, counts }: LoanStrategyRun,
): void {
  const { debt } = strategy;
  if (debt === undefined) return;
  const reserves = loopReserves(keys, strategy, debt);
  const permille = random.between(100n, 600n);
  attempt(counts, () => {
    const amounts = decreaseAmounts(simulator, loan, { ...reserves, permille });
    return amounts && decreaseLoop(simulator, { loan, maker: agents.marketMaker, ...amounts });
  });
}

function repaySome(context: SimulationContext, run: LoanStrategyRun): void {
  const { simulator, agents, random, keys } = context;
  const { strategy, loan, counts } = run;
  const { debt } = strategy;
  if (debt === undefined) return;
  if (isLooped(strategy)) {
    decreaseLoopRandomly(context, run);
    return;
  }
  const reserve = reserveAddress(keys, strategy.market, debt);
  attempt(counts, () => {
    const debtOwed = debtAmount(simulator, loan, reserve);
    if (debtOwed === 0n) return undefined;
    const isAll = random.between(0n, 9n) === 0n;
    const amount = isAll
      ? (debtOwed * 1_001n) / THOUSAND
      : (debtOwed * random.between(50n, 500n)) / THOUSAND;
    ensureBalance(
      simulator,
      { owner: loan.owner, maker: agents.marketMaker },
      { token: tokenBySymbol(debt), amount },
    );
    return executeRepay(simulator, loan, { reserve, amount: isAll ? 'all' : amount });
  });
}

function withdrawSome(
  { simulator, random, keys }: SimulationContext,
  { strategy, loan, counts }: LoanStrategyRun,
): void {
  const reserve = reserveAddress(keys, strategy.market, strategy.collateral);
  attempt(counts, () => {
    const maximum = maxWithdrawAmount(simulator, loan, reserve);
    const amount = (maximum * random.between(30n, 400n)) / THOUSAND;
    return amount > 0n ? executeWithdraw(simulator, loan, { reserve, amount }) : undefined;
  });
}

export function walletLoan(
  { agents, keys }: SimulationContext,
  wallet: number,
  strategy: Pick<LoanStrategy, 'market' | 'kind' | 'collateral' | 'debt'>,
): LoanRef {
  return {
    owner: agents.wallet(wallet),
    market: marketAddress(keys, strategy.market),
    kind: obligationKindOf(strategy),
  };
}

function obligationKindOf({
  kind,
  collateral,
  debt,
}: Pick<LoanStrategy, 'kind' | 'collateral' | 'debt'>) {
  const collateralMint = tokenBySymbol(collateral).mint;
  const debtMint = tokenBySymbol(debt ?? 'USDC').mint;
  const kinds: Record<LoanStrategy['kind'], ObligationKind> = {
    vanilla: { kind: 'vanilla' },
    lending: { kind: 'lending', mint: collateralMint },
    multiply: { kind: 'multiply', collateralMint, debtMint },
    leverage: { kind: 'leverage', collateralMint, debtMint },
  };
  return kinds[kind];
}
