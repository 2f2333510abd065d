import type { ObligationKind } from '@tidegate/core/protocol/klend';
import { marketAddress, reserveAddress } from '../../genesis/accounts/market.ts';
import type { Keys } from '../../genesis/seed/seeded-keys.ts';
import type { MarketKey } from '../../genesis/specs/market-specs.ts';
import { type TokenSymbol, tokenOf } from '../../genesis/specs/token-specs.ts';
import { attempt, type Tally } from '../actions/attempt.ts';
import { provide } from '../actions/ensure-balance.ts';
import {
  borrowFrom,
  debtOf,
  depositInto,
  joinGroup,
  type Loan,
  loanAddress,
  mostToBorrow,
  mostToWithdraw,
  repayTo,
  withdrawFrom,
} from '../actions/lending-actions.ts';
import { loopDown, loopUp } from '../actions/leverage-loops.ts';
import { obligationAt, worth } from '../actions/loan-state.ts';
import { loopAmounts, unloopAmounts } from '../actions/loop-amounts.ts';
import type { Scenery } from '../setup/simulation-setup.ts';

/** What somebody does again and again. */
export type Habit = (scenery: Scenery, wallet: number, tally: Tally) => void;

/** A loan of one deposit and one debt. */
export type LoanHabit = {
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
export const lendingHabit =
  (habit: LoanHabit): Habit =>
  (scenery, wallet, tally) => {
    const loan = loanOf(scenery, wallet, habit);
    const isOpen = obligationAt(scenery.player, loanAddress(loan)) !== undefined;
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
export type Doing = { readonly habit: LoanHabit; readonly loan: Loan; readonly tally: Tally };

/** What is missing for it is bought. */
export function depositDollars(
  { player, people, keys }: Scenery,
  { loan, tally }: Omit<Doing, 'habit'>,
  { market, collateral, dollars }: Pick<LoanHabit, 'market' | 'collateral' | 'dollars'>,
): void {
  const reserve = reserveAddress(keys, market, collateral);
  attempt(tally, () => {
    const amount = worth(player, reserve, dollars);
    const token = tokenOf(collateral);
    provide(player, { owner: loan.owner, maker: people.maker }, { token, amount });
    return depositInto(player, loan, { reserve, amount });
  });
}

/** In thousandths of what could be borrowed. */
const GREEDY = 965n;

const greedy = (doing: Doing): Doing => ({
  ...doing,
  habit: { ...doing.habit, appetitePermille: GREEDY },
});

function addDeposit(scenery: Scenery, { habit, loan, tally }: Doing): void {
  const { player, dice } = scenery;
  const dollars = (habit.dollars * dice.between(300n, 1_700n)) / THOUSAND;
  depositDollars(scenery, { loan, tally }, { ...habit, dollars });
  const { group } = habit;
  const obligation = obligationAt(player, loanAddress(loan));
  if (group === undefined || obligation === undefined) return;
  if (obligation.elevationGroup !== group) attempt(tally, () => joinGroup(player, loan, group));
}

const isLooped = ({ kind }: LoanHabit): boolean => kind === 'multiply' || kind === 'leverage';

function borrowMore(scenery: Scenery, doing: Doing): void {
  const { player, dice, keys } = scenery;
  const { habit, loan, tally } = doing;
  const { debt, appetitePermille } = habit;
  if (debt === undefined) return;
  if (isLooped(habit)) {
    loop(scenery, doing);
    return;
  }
  const reserve = reserveAddress(keys, habit.market, debt);
  attempt(tally, () => {
    const most = mostToBorrow(player, loan, reserve);
    const owed = debtOf(player, loan, reserve);
    const wanted = ((most + owed) * appetitePermille) / THOUSAND - owed;
    const amount = (wanted * dice.between(600n, 1_000n)) / THOUSAND;
    return amount > 0n ? borrowFrom(player, loan, { reserve, amount }) : undefined;
  });
}

const sidesOf = (keys: Keys, { market, collateral }: LoanHabit, debt: TokenSymbol) => ({
  collateral: reserveAddress(keys, market, collateral),
  debt: reserveAddress(keys, market, debt),
});

/** Up to what they like to owe. */
export function loop({ player, people, keys }: Scenery, { habit, loan, tally }: Doing): void {
  const { debt, appetitePermille } = habit;
  if (debt === undefined) return;
  const sides = sidesOf(keys, habit, debt);
  attempt(tally, () => {
    const amounts = loopAmounts(player, loan, { ...sides, appetitePermille });
    return amounts && loopUp(player, { loan, maker: people.maker, ...amounts });
  });
}

function unloop({ player, people, dice, keys }: Scenery, { habit, loan, tally }: Doing): void {
  const { debt } = habit;
  if (debt === undefined) return;
  const sides = sidesOf(keys, habit, debt);
  const permille = dice.between(100n, 600n);
  attempt(tally, () => {
    const amounts = unloopAmounts(player, loan, { ...sides, permille });
    return amounts && loopDown(player, { loan, maker: people.maker, ...amounts });
  });
}

function payBack(scenery: Scenery, doing: Doing): void {
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
    const owed = debtOf(player, loan, reserve);
    if (owed === 0n) return undefined;
    const isAll = dice.between(0n, 9n) === 0n;
    const amount = isAll ? (owed * 1_001n) / THOUSAND : (owed * dice.between(50n, 500n)) / THOUSAND;
    provide(player, { owner: loan.owner, maker: people.maker }, { token: tokenOf(debt), amount });
    return repayTo(player, loan, { reserve, amount: isAll ? 'all' : amount });
  });
}

function takeOut({ player, dice, keys }: Scenery, { habit, loan, tally }: Doing): void {
  const reserve = reserveAddress(keys, habit.market, habit.collateral);
  attempt(tally, () => {
    const most = mostToWithdraw(player, loan, reserve);
    const amount = (most * dice.between(30n, 400n)) / THOUSAND;
    return amount > 0n ? withdrawFrom(player, loan, { reserve, amount }) : undefined;
  });
}

export function loanOf(
  { people, keys }: Scenery,
  wallet: number,
  habit: Pick<LoanHabit, 'market' | 'kind' | 'collateral' | 'debt'>,
): Loan {
  return {
    owner: people.wallet(wallet),
    market: marketAddress(keys, habit.market),
    kind: kindOf(habit),
  };
}

function kindOf({ kind, collateral, debt }: Pick<LoanHabit, 'kind' | 'collateral' | 'debt'>) {
  const collateralMint = tokenOf(collateral).mint;
  const debtMint = tokenOf(debt ?? 'USDC').mint;
  const kinds: Record<LoanHabit['kind'], ObligationKind> = {
    vanilla: { kind: 'vanilla' },
    lending: { kind: 'lending', mint: collateralMint },
    multiply: { kind: 'multiply', collateralMint, debtMint },
    leverage: { kind: 'leverage', collateralMint, debtMint },
  };
  return kinds[kind];
}
