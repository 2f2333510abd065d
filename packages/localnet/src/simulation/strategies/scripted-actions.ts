import { ZERO_ADDRESS } from '@tidegate/core/base';
import { reserveAddress } from '../../genesis/accounts/market.ts';
import { permissioningAuthorityName, vaultAddress } from '../../genesis/accounts/vault.ts';
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
import { executeVaultWithdraw, findVault, type VaultHolding } from '../actions/vault-actions.ts';
import type { SimulationContext } from '../setup/simulation-setup.ts';
import {
  depositUsd,
  increaseLoopToTarget,
  type LoanStrategy,
  walletLoan,
} from './loan-strategy.ts';
import { depositUsdToVault } from './vault-strategy.ts';

/** An action that runs once. */
export type ScriptedAction = (context: SimulationContext, counts: ActionCounts) => void;

/** An action some hours before the end or, if negative, after genesis. */
export type ScheduledAction = { readonly hoursBefore: number; readonly action: ScriptedAction };

const THOUSAND = 1_000n;

/** Selects one of a wallet's loans. */
export type LoanSelector = Pick<LoanStrategy, 'market' | 'kind' | 'debt'>;

export const sequence =
  (...actions: readonly ScriptedAction[]): ScriptedAction =>
  (context, counts) => {
    for (const action of actions) action(context, counts);
  };

export const depositAction =
  (
    wallet: number,
    selector: LoanSelector,
    amounts: readonly (readonly [TokenSymbol, usd: bigint])[],
  ): ScriptedAction =>
  (context, counts) => {
    for (const [collateral, usd] of amounts) {
      const loan = walletLoan(context, wallet, { ...selector, collateral });
      depositUsd(context, { loan, counts }, { market: selector.market, collateral, usd });
    }
  };

/** Each amount is in thousandths of the maximum at that point. */
export const borrowAction =
  (
    wallet: number,
    selector: LoanSelector,
    amounts: readonly (readonly [TokenSymbol, permille: bigint])[],
  ): ScriptedAction =>
  (context, counts) => {
    const { simulator, keys } = context;
    const loan = walletLoan(context, wallet, { ...selector, collateral: 'SOL' });
    for (const [symbol, permille] of amounts) {
      const reserve = reserveAddress(keys, selector.market, symbol);
      attempt(counts, () => {
        const amount = (maxBorrowAmount(simulator, loan, reserve) * permille) / THOUSAND;
        return executeBorrow(simulator, loan, { reserve, amount });
      });
    }
  };

/** In thousandths of the maximum withdrawal. */
export const withdrawAction =
  (
    wallet: number,
    selector: LoanSelector,
    [symbol, permille]: readonly [TokenSymbol, bigint],
  ): ScriptedAction =>
  (context, counts) => {
    const { simulator, keys } = context;
    const loan = walletLoan(context, wallet, { ...selector, collateral: symbol });
    const reserve = reserveAddress(keys, selector.market, symbol);
    attempt(counts, () => {
      const amount = (maxWithdrawAmount(simulator, loan, reserve) * permille) / THOUSAND;
      return executeWithdraw(simulator, loan, { reserve, amount });
    });
  };

/** In thousandths of the debt. */
export const repayAction =
  (
    wallet: number,
    selector: LoanSelector,
    [symbol, permille]: readonly [TokenSymbol, bigint],
  ): ScriptedAction =>
  (context, counts) => {
    const { simulator, agents, keys } = context;
    const loan = walletLoan(context, wallet, { ...selector, collateral: 'SOL' });
    const reserve = reserveAddress(keys, selector.market, symbol);
    attempt(counts, () => {
      const amount = (debtAmount(simulator, loan, reserve) * permille) / THOUSAND;
      const token = tokenBySymbol(symbol);
      ensureBalance(simulator, { owner: loan.owner, maker: agents.marketMaker }, { token, amount });
      return executeRepay(simulator, loan, { reserve, amount });
    });
  };

/** Repays the whole debt and withdraws the whole deposit, which closes a loan without others. */
export const closeLoanAction =
  (
    wallet: number,
    selector: LoanSelector,
    { debt, collateral }: { readonly debt: TokenSymbol; readonly collateral: TokenSymbol },
  ): ScriptedAction =>
  (context, counts) => {
    const { simulator, agents, keys } = context;
    const loan = walletLoan(context, wallet, { ...selector, collateral });
    const [debtReserve, reserve] = [debt, collateral].map((symbol) =>
      reserveAddress(keys, selector.market, symbol),
    );
    if (debtReserve === undefined || reserve === undefined) return;
    attempt(counts, () => {
      // Interest accrues until the repayment.
      const amount = (debtAmount(simulator, loan, debtReserve) * 1_001n) / THOUSAND;
      ensureBalance(
        simulator,
        { owner: loan.owner, maker: agents.marketMaker },
        { token: tokenBySymbol(debt), amount },
      );
      return executeRepay(simulator, loan, { reserve: debtReserve, amount: 'all' });
    });
    attempt(counts, () => executeWithdraw(simulator, loan, { reserve, amount: 'all' }));
  };

/** Deposits, joins the elevation group and borrows up to the target. */
export const loopAction =
  (wallet: number, strategy: LoanStrategy): ScriptedAction =>
  (context, counts) => {
    const loan = walletLoan(context, wallet, strategy);
    depositAction(wallet, strategy, [[strategy.collateral, strategy.usd]])(context, counts);
    const isOpen = findObligation(context.simulator, loanAddress(loan)) !== undefined;
    const { group } = strategy;
    if (!isOpen || group === undefined) return;
    attempt(counts, () => joinElevationGroup(context.simulator, loan, group));
    increaseLoopToTarget(context, { strategy, loan, counts });
  };

export const vaultDepositAction =
  (
    wallet: number,
    key: VaultKey,
    deposit: { readonly usd: bigint; readonly stake: boolean },
  ): ScriptedAction =>
  (context, counts) => {
    const holding = holdingOf(context, wallet, key);
    depositUsdToVault(context, { key, holding, counts }, deposit);
  };

/** Withdraws all shares of a wallet, staked ones included. */
export const leaveVaultAction =
  (wallet: number, key: VaultKey): ScriptedAction =>
  (context, counts) => {
    const holding = holdingOf(context, wallet, key);
    attempt(counts, () => executeVaultWithdraw(context.simulator, holding, 'all'));
  };

function holdingOf(
  { simulator, agents, keys }: SimulationContext,
  wallet: number,
  key: VaultKey,
): VaultHolding {
  const owner = agents.wallet(wallet);
  const vault = vaultAddress(keys, key);
  const authority = findVault(simulator, vault)?.permissioningAuthority ?? ZERO_ADDRESS;
  if (authority === ZERO_ADDRESS) return { owner, vault };
  return { owner, vault, authority: agents.named(permissioningAuthorityName(key)) };
}
