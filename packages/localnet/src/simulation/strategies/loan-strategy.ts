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

/** What somebody does again and again. */
export type Strategy = (scenery: SimulationContext, wallet: number, tally: ActionCounts) => void;

/** A loan of one deposit and one debt. */
export type LoanStrategy = {
  readonly market: MarketKey;
  readonly kind: 'vanilla' | 'lending' | 'multiply' | 'leverage';
  readonly collateral: TokenSymbol;
  readonly debt?: TokenSymbol;
  readonly group?: number;
  /** Of one deposit. */
  readonly dollars: bigint;
  /** How much of what could be borrowed they like to owe, in thousandths. */
  readonly appetitePermille: bigint;
};

const THOUSAND = 1_000n;

/** Lends, borrows, repays and takes out, as the dice fall, around what they like to owe. */
export const loanStrategy =
  (habit: LoanStrategy): Strategy =>
  (scenery, wallet, tally) => {
    const loan = walletLoan(scenery, wallet, habit);
    const isOpen = findObligation(scenery.player, loanAddress(loan)) !== undefined;
    const throwOf = scenery.dice.between(0n, 99n);
    const doing = { habit, loan, tally };
    if (!isOpen) addDeposit(scenery, doing);
    else if (scenery.mood === 'greedy' && habit.debt !== undefined)
      borrowMore(scenery, greedy(doing));
    else if (throwOf < 35n) addDeposit(scenery, doing);
    else if (habit.debt === undefined) takeOut(scenery, doing);
    else if (throwOf < 65n) borrowMore(scenery, doing);
    else if (throwOf < 88n) payBack(scenery, doing);
    else takeOut(scenery, doing);
  };

/** Somebody's loan of a habit, and where what comes of it is counted. */
export type LoanStrategyRun = {
  readonly habit: LoanStrategy;
  readonly loan: LoanRef;
  readonly tally: ActionCounts;
};

/** What is missing for it is bought. */
export function depositUsd(
  { player, people, keys }: SimulationContext,
  { loan, tally }: Omit<LoanStrategyRun, 'habit'>,
  { market, collateral, dollars }: Pick<LoanStrategy, 'market' | 'collateral' | 'dollars'>,
): void {
  const reserve = reserveAddress(keys, market, collateral);
  attempt(tally, () => {
    const amount = tokensForUsd(player, reserve, dollars);
    const token = tokenBySymbol(collateral);
    ensureBalance(player, { owner: loan.owner, maker: people.maker }, { token, amount });
    return executeDeposit(player, loan, { reserve, amount });
  });
}

/** In thousandths of what could be borrowed. */
const GREEDY = 965n;

const greedy = (doing: LoanStrategyRun): LoanStrategyRun => ({
  ...doing,
  habit: { ...doing.habit, appetitePermille: GREEDY },
});

function addDeposit(scenery: SimulationContext, { habit, loan, tally }: LoanStrategyRun): void {
  const { player, dice } = scenery;
  const dollars = (habit.dollars * dice.between(300n, 1_700n)) / THOUSAND;
  depositUsd(scenery, { loan, tally }, { ...habit, dollars });
  const { group } = habit;
  const obligation = findObligation(player, loanAddress(loan));
  if (group === undefined || obligation === undefined) return;
  if (obligation.elevationGroup !== group)
    attempt(tally, () => joinElevationGroup(player, loan, group));
}

const isLooped = ({ kind }: LoanStrategy): boolean => kind === 'multiply' || kind === 'leverage';

function borrowMore(scenery: SimulationContext, doing: LoanStrategyRun): void {
  const { player, dice, keys } = scenery;
  const { habit, loan, tally } = doing;
  const { debt, appetitePermille } = habit;
  if (debt === undefined) return;
  if (isLooped(habit)) {
    increaseLoopToTarget(scenery, doing);
    return;
  }
  const reserve = reserveAddress(keys, habit.market, debt);
  attempt(tally, () => {
    const most = maxBorrowAmount(player, loan, reserve);
    const owed = debtAmount(player, loan, reserve);
    const wanted = ((most + owed) * appetitePermille) / THOUSAND - owed;
    const amount = (wanted * dice.between(600n, 1_000n)) / THOUSAND;
    return amount > 0n ? executeBorrow(player, loan, { reserve, amount }) : undefined;
  });
}

const sidesOf = (keys: SeededKeys, { market, collateral }: LoanStrategy, debt: TokenSymbol) => ({
  collateral: reserveAddress(keys, market, collateral),
  debt: reserveAddress(keys, market, debt),
});

/** Up to what they like to owe. */
export function increaseLoopToTarget(
  { player, people, keys }: SimulationContext,
  { habit, loan, tally }: LoanStrategyRun,
): void {
  const { debt, appetitePermille } = habit;
  if (debt === undefined) return;
  const sides = sidesOf(keys, habit, debt);
  attempt(tally, () => {
    const amounts = increaseAmounts(player, loan, { ...sides, appetitePermille });
    return amounts && increaseLoop(player, { loan, maker: people.maker, ...amounts });
  });
}

function unloop(
  { player, people, dice, keys }: SimulationContext,
  { habit, loan, tally }: LoanStrategyRun,
): void {
  const { debt } = habit;
  if (debt === undefined) return;
  const sides = sidesOf(keys, habit, debt);
  const permille = dice.between(100n, 600n);
  attempt(tally, () => {
    const amounts = decreaseAmounts(player, loan, { ...sides, permille });
    return amounts && decreaseLoop(player, { loan, maker: people.maker, ...amounts });
  });
}

function payBack(scenery: SimulationContext, doing: LoanStrategyRun): void {
  const { player, people, dice, keys } = scenery;
  const { habit, loan, tally } = doing;
  const { debt } = habit;
  if (debt === undefined) return;
  if (isLooped(habit)) {
    unloop(scenery, doing);
    return;
  }
  const reserve = reserveAddress(keys, habit.market, debt);
  attempt(tally, () => {
    const owed = debtAmount(player, loan, reserve);
    if (owed === 0n) return undefined;
    const isAll = dice.between(0n, 9n) === 0n;
    const amount = isAll ? (owed * 1_001n) / THOUSAND : (owed * dice.between(50n, 500n)) / THOUSAND;
    ensureBalance(
      player,
      { owner: loan.owner, maker: people.maker },
      { token: tokenBySymbol(debt), amount },
    );
    return executeRepay(player, loan, { reserve, amount: isAll ? 'all' : amount });
  });
}

function takeOut(
  { player, dice, keys }: SimulationContext,
  { habit, loan, tally }: LoanStrategyRun,
): void {
  const reserve = reserveAddress(keys, habit.market, habit.collateral);
  attempt(tally, () => {
    const most = maxWithdrawAmount(player, loan, reserve);
    const amount = (most * dice.between(30n, 400n)) / THOUSAND;
    return amount > 0n ? executeWithdraw(player, loan, { reserve, amount }) : undefined;
  });
}

export function walletLoan(
  { people, keys }: SimulationContext,
  wallet: number,
  habit: Pick<LoanStrategy, 'market' | 'kind' | 'collateral' | 'debt'>,
): LoanRef {
  return {
    owner: people.wallet(wallet),
    market: marketAddress(keys, habit.market),
    kind: kindOf(habit),
  };
}

function kindOf({ kind, collateral, debt }: Pick<LoanStrategy, 'kind' | 'collateral' | 'debt'>) {
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
