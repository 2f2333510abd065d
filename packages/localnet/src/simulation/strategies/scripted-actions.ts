import { reserveAddress } from '../../genesis/accounts/market.ts';
import { vaultAddress } from '../../genesis/accounts/vault.ts';
import { type TokenSymbol, tokenOf } from '../../genesis/specs/token-specs.ts';
import type { VaultKey } from '../../genesis/specs/vault-specs.ts';
import { attempt, type Tally } from '../actions/attempt.ts';
import { provide } from '../actions/ensure-balance.ts';
import {
  borrowFrom,
  debtOf,
  joinGroup,
  loanAddress,
  mostToBorrow,
  mostToWithdraw,
  repayTo,
  withdrawFrom,
} from '../actions/lending-actions.ts';
import { obligationAt } from '../actions/loan-state.ts';
import type { Scenery } from '../setup/simulation-setup.ts';
import { depositDollars, type LoanHabit, loanOf, loop } from './loan-strategy.ts';
import { saveDollars } from './vault-strategy.ts';

/** Something that is done once. */
export type Act = (scenery: Scenery, tally: Tally) => void;

const THOUSAND = 1_000n;

/** Which of a wallet's loans. */
export type Kind = Pick<LoanHabit, 'market' | 'kind' | 'debt'>;

export const both =
  (...acts: readonly Act[]): Act =>
  (scenery, tally) => {
    for (const act of acts) act(scenery, tally);
  };

export const deposit =
  (wallet: number, kind: Kind, sums: readonly (readonly [TokenSymbol, dollars: bigint])[]): Act =>
  (scenery, tally) => {
    for (const [collateral, dollars] of sums) {
      const loan = loanOf(scenery, wallet, { ...kind, collateral });
      depositDollars(scenery, { loan, tally }, { market: kind.market, collateral, dollars });
    }
  };

/** In thousandths of the most that each loan could be at its turn. */
export const borrow =
  (wallet: number, kind: Kind, sums: readonly (readonly [TokenSymbol, permille: bigint])[]): Act =>
  (scenery, tally) => {
    const { player, keys } = scenery;
    const loan = loanOf(scenery, wallet, { ...kind, collateral: 'SOL' });
    for (const [symbol, permille] of sums) {
      const reserve = reserveAddress(keys, kind.market, symbol);
      attempt(tally, () => {
        const amount = (mostToBorrow(player, loan, reserve) * permille) / THOUSAND;
        return borrowFrom(player, loan, { reserve, amount });
      });
    }
  };

/** In thousandths of what could be taken out. */
export const takeOut =
  (wallet: number, kind: Kind, [symbol, permille]: readonly [TokenSymbol, bigint]): Act =>
  (scenery, tally) => {
    const { player, keys } = scenery;
    const loan = loanOf(scenery, wallet, { ...kind, collateral: symbol });
    const reserve = reserveAddress(keys, kind.market, symbol);
    attempt(tally, () => {
      const amount = (mostToWithdraw(player, loan, reserve) * permille) / THOUSAND;
      return withdrawFrom(player, loan, { reserve, amount });
    });
  };

/** A part of a debt is paid back, in thousandths. */
export const ease =
  (wallet: number, kind: Kind, [symbol, permille]: readonly [TokenSymbol, bigint]): Act =>
  (scenery, tally) => {
    const { player, people, keys } = scenery;
    const loan = loanOf(scenery, wallet, { ...kind, collateral: 'SOL' });
    const reserve = reserveAddress(keys, kind.market, symbol);
    attempt(tally, () => {
      const amount = (debtOf(player, loan, reserve) * permille) / THOUSAND;
      const token = tokenOf(symbol);
      provide(player, { owner: loan.owner, maker: people.maker }, { token, amount });
      return repayTo(player, loan, { reserve, amount });
    });
  };

/** Lends, joins the group and loops. */
export const loops =
  (wallet: number, habit: LoanHabit): Act =>
  (scenery, tally) => {
    const loan = loanOf(scenery, wallet, habit);
    deposit(wallet, habit, [[habit.collateral, habit.dollars]])(scenery, tally);
    const isThere = obligationAt(scenery.player, loanAddress(loan)) !== undefined;
    const { group } = habit;
    if (!isThere || group === undefined) return;
    attempt(tally, () => joinGroup(scenery.player, loan, group));
    loop(scenery, { habit, loan, tally });
  };

export const saves =
  (
    wallet: number,
    key: VaultKey,
    sum: { readonly dollars: bigint; readonly stake: boolean },
  ): Act =>
  (scenery, tally) => {
    const savings = {
      owner: scenery.people.wallet(wallet),
      vault: vaultAddress(scenery.keys, key),
    };
    saveDollars(scenery, { key, savings, tally }, sum);
  };
