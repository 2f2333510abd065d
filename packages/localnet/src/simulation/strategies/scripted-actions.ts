import { reserveAddress } from '../../genesis/accounts/market.ts';
import { vaultAddress } from '../../genesis/accounts/vault.ts';
import { type TokenSymbol, tokenBySymbol } from '../../genesis/specs/token-specs.ts';
import type { VaultKey } from '../../genesis/specs/vault-specs.ts';
import { type ActionCounts, attempt } from '../actions/attempt.ts';
import { ensureBalance } from '../actions/ensure-balance.ts';
import {
  debtAmount,
  executeBorrow,
  executeRepay,
  executeWithdraw,
  joinElevationGroup,
  loanAddress,
  maxBorrowAmount,
  maxWithdrawAmount,
} from '../actions/lending-actions.ts';
import { findObligation } from '../actions/loan-state.ts';
import type { SimulationContext } from '../setup/simulation-setup.ts';
import {
  depositUsd,
  increaseLoopToTarget,
  type LoanStrategy,
  walletLoan,
} from './loan-strategy.ts';
import { depositUsdToVault } from './vault-strategy.ts';

/** Something that is done once. */
export type ScriptedAction = (scenery: SimulationContext, tally: ActionCounts) => void;

const THOUSAND = 1_000n;

/** Which of a wallet's loans. */
export type LoanSelector = Pick<LoanStrategy, 'market' | 'kind' | 'debt'>;

export const sequence =
  (...acts: readonly ScriptedAction[]): ScriptedAction =>
  (scenery, tally) => {
    for (const act of acts) act(scenery, tally);
  };

export const depositAction =
  (
    wallet: number,
    kind: LoanSelector,
    sums: readonly (readonly [TokenSymbol, dollars: bigint])[],
  ): ScriptedAction =>
  (scenery, tally) => {
    for (const [collateral, dollars] of sums) {
      const loan = walletLoan(scenery, wallet, { ...kind, collateral });
      depositUsd(scenery, { loan, tally }, { market: kind.market, collateral, dollars });
    }
  };

/** In thousandths of the most that each loan could be at its turn. */
export const borrowAction =
  (
    wallet: number,
    kind: LoanSelector,
    sums: readonly (readonly [TokenSymbol, permille: bigint])[],
  ): ScriptedAction =>
  (scenery, tally) => {
    const { player, keys } = scenery;
    const loan = walletLoan(scenery, wallet, { ...kind, collateral: 'SOL' });
    for (const [symbol, permille] of sums) {
      const reserve = reserveAddress(keys, kind.market, symbol);
      attempt(tally, () => {
        const amount = (maxBorrowAmount(player, loan, reserve) * permille) / THOUSAND;
        return executeBorrow(player, loan, { reserve, amount });
      });
    }
  };

/** In thousandths of what could be taken out. */
export const withdrawAction =
  (
    wallet: number,
    kind: LoanSelector,
    [symbol, permille]: readonly [TokenSymbol, bigint],
  ): ScriptedAction =>
  (scenery, tally) => {
    const { player, keys } = scenery;
    const loan = walletLoan(scenery, wallet, { ...kind, collateral: symbol });
    const reserve = reserveAddress(keys, kind.market, symbol);
    attempt(tally, () => {
      const amount = (maxWithdrawAmount(player, loan, reserve) * permille) / THOUSAND;
      return executeWithdraw(player, loan, { reserve, amount });
    });
  };

/** A part of a debt is paid back, in thousandths. */
export const repayAction =
  (
    wallet: number,
    kind: LoanSelector,
    [symbol, permille]: readonly [TokenSymbol, bigint],
  ): ScriptedAction =>
  (scenery, tally) => {
    const { player, people, keys } = scenery;
    const loan = walletLoan(scenery, wallet, { ...kind, collateral: 'SOL' });
    const reserve = reserveAddress(keys, kind.market, symbol);
    attempt(tally, () => {
      const amount = (debtAmount(player, loan, reserve) * permille) / THOUSAND;
      const token = tokenBySymbol(symbol);
      ensureBalance(player, { owner: loan.owner, maker: people.maker }, { token, amount });
      return executeRepay(player, loan, { reserve, amount });
    });
  };

/** Lends, joins the group and loops. */
export const loopAction =
  (wallet: number, habit: LoanStrategy): ScriptedAction =>
  (scenery, tally) => {
    const loan = walletLoan(scenery, wallet, habit);
    depositAction(wallet, habit, [[habit.collateral, habit.dollars]])(scenery, tally);
    const isThere = findObligation(scenery.player, loanAddress(loan)) !== undefined;
    const { group } = habit;
    if (!isThere || group === undefined) return;
    attempt(tally, () => joinElevationGroup(scenery.player, loan, group));
    increaseLoopToTarget(scenery, { habit, loan, tally });
  };

export const vaultDepositAction =
  (
    wallet: number,
    key: VaultKey,
    sum: { readonly dollars: bigint; readonly stake: boolean },
  ): ScriptedAction =>
  (scenery, tally) => {
    const savings = {
      owner: scenery.people.wallet(wallet),
      vault: vaultAddress(scenery.keys, key),
    };
    depositUsdToVault(scenery, { key, savings, tally }, sum);
  };
