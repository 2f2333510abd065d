import { marketAddress, reserveAddress } from '../../genesis/accounts/market.ts';
import { vaultAddress } from '../../genesis/accounts/vault.ts';
import { tokenBySymbol } from '../../genesis/specs/token-specs.ts';
import { attempt } from '../actions/attempt.ts';
import { ensureBalance } from '../actions/ensure-balance.ts';
import { executeDeposit, refreshMarketReserves } from '../actions/lending-actions.ts';
import { depositRoom } from '../actions/loan-state.ts';
import { lowerBorrowLimit, lowerDepositLimit } from '../actions/reserve-config-actions.ts';
import { investVault } from '../actions/vault-investment.ts';
import {
  collateralBalance,
  enqueueCollateral,
  payFirstTicket,
  redeemShares,
} from '../actions/withdraw-queue-actions.ts';
import { walletLoan } from './loan-strategy.ts';
import {
  borrowAction,
  closeLoanAction,
  depositAction,
  leaveVaultAction,
  repayAction,
  type ScheduledAction,
  type ScriptedAction,
  sequence,
  vaultDepositAction,
  withdrawAction,
} from './scripted-actions.ts';
import { unstakedShares } from './vault-strategy.ts';

const THOUSAND = 1_000n;
const DAY = 24;

/** Positions and reserves that few wallets have, but that every client must handle. */
export const specialCases = (): readonly ScheduledAction[] => [
  ...closedLoan(),
  ...returningHolder(),
  ...fixedTermDebts(),
  ...reachedLimits(),
  ...usedWithdrawalCap(),
  ...withdrawQueue(),
];

function closedLoan(): ScheduledAction[] {
  const loan = { market: 'jlp', kind: 'vanilla' } as const;
  return [
    {
      hoursBefore: 170 * DAY,
      action: sequence(
        depositAction(5, loan, [['SOL', 9n * THOUSAND]]),
        borrowAction(5, loan, [['USDC', 400n]]),
      ),
    },
    { hoursBefore: 140 * DAY, action: repayAction(5, loan, ['USDC', 300n]) },
    {
      hoursBefore: 115 * DAY,
      action: closeLoanAction(5, loan, { debt: 'USDC', collateral: 'SOL' }),
    },
  ];
}

/** Leaves a vault completely and comes back later. */
const returningHolder = (): ScheduledAction[] => [
  { hoursBefore: 150 * DAY, action: vaultDepositAction(6, 'prime', { usd: 6_000n, stake: true }) },
  { hoursBefore: 110 * DAY, action: leaveVaultAction(6, 'prime') },
  { hoursBefore: 45 * DAY, action: vaultDepositAction(6, 'prime', { usd: 4_000n, stake: false }) },
];

/** One debt within its term, and one whose term is over and which is only partly repaid. */
function fixedTermDebts(): ScheduledAction[] {
  const loan = { market: 'bitcoin', kind: 'vanilla' } as const;
  const borrow = (wallet: number, usd: bigint): ScriptedAction =>
    sequence(
      depositAction(wallet, loan, [['cbBTC', usd]]),
      borrowAction(wallet, loan, [['wETH', 500n]]),
    );
  return [
    { hoursBefore: 75 * DAY, action: borrow(8, 24n * THOUSAND) },
    { hoursBefore: 20 * DAY, action: borrow(6, 15n * THOUSAND) },
    { hoursBefore: 10 * DAY, action: repayAction(8, loan, ['wETH', 500n]) },
  ];
}

/**
 * The limits are lowered, that for loans to the debt; one wallet takes all that is left of the
 * other, and the next deposit fails.
 */
function reachedLimits(): ScheduledAction[] {
  const loan = { market: 'main', kind: 'lending' } as const;
  const fill: ScriptedAction = (context, counts) => {
    const { simulator, agents, keys } = context;
    const reserve = reserveAddress(keys, 'main', 'wETH');
    const owner = agents.named('owner/main');
    attempt(counts, () => lowerBorrowLimit(simulator, reserve, owner));
    attempt(counts, () => lowerDepositLimit(simulator, reserve, owner));
    attempt(counts, () => {
      const { owner, ...rest } = walletLoan(context, 3, { ...loan, collateral: 'wETH' });
      const token = tokenBySymbol('wETH');
      const amount = depositRoom(simulator, reserve);
      ensureBalance(simulator, { owner, maker: agents.marketMaker }, { token, amount });
      // Interest of the slot of the purchase leaves less room.
      const left = depositRoom(simulator, reserve);
      return executeDeposit(simulator, { owner, ...rest }, { reserve, amount: left });
    });
  };
  /** Marks the limits as crossed. */
  const refresh: ScriptedAction = ({ simulator, agents, keys }, counts) =>
    void attempt(counts, () =>
      refreshMarketReserves(simulator, marketAddress(keys, 'main'), agents.keeper),
    );
  return [
    { hoursBefore: 2, action: sequence(fill, depositAction(4, loan, [['wETH', 500n]])) },
    { hoursBefore: 1, action: refresh },
  ];
}

/** A withdrawal takes most of a reserve's daily cap. */
function usedWithdrawalCap(): ScheduledAction[] {
  const loan = { market: 'main', kind: 'lending' } as const;
  return [
    { hoursBefore: 50 * DAY, action: depositAction(7, loan, [['bSOL', 240n * THOUSAND]]) },
    { hoursBefore: 3, action: withdrawAction(7, loan, ['bSOL', 900n]) },
  ];
}

/**
 * A holder leaves a vault whose only reserve is fully lent: shares become cTokens, which wait in
 * the queue of the reserve. A repayment pays the first ticket and a part of the second.
 */
function withdrawQueue(): ScheduledAction[] {
  const loan = { market: 'bitcoin', kind: 'vanilla' } as const;
  const invest: ScriptedAction = ({ simulator, agents, keys }, counts) => {
    for (const record of investVault(simulator, vaultAddress(keys, 'credit'), agents.marketMaker))
      attempt(counts, () => record);
  };
  const enqueue: ScriptedAction = (context, counts) => {
    const { simulator, agents, keys } = context;
    const reserve = reserveAddress(keys, 'bitcoin', 'USDC');
    const owner = agents.wallet(7);
    const holding = { owner, vault: vaultAddress(keys, 'credit') };
    const sharesAmount = unstakedShares(context, holding) / 2n;
    attempt(counts, () => redeemShares(simulator, holding, { reserve, sharesAmount }));
    const ctokens = collateralBalance(simulator, reserve, owner.address);
    for (const amount of [ctokens / 4n, ctokens - ctokens / 4n])
      attempt(counts, () => enqueueCollateral(simulator, reserve, { owner, amount }));
  };
  const pay: ScriptedAction = ({ simulator, agents, keys }, counts) => {
    const reserve = reserveAddress(keys, 'bitcoin', 'USDC');
    attempt(counts, () => payFirstTicket(simulator, reserve, agents.keeper));
  };
  return [
    {
      hoursBefore: 40 * DAY,
      action: sequence(
        vaultDepositAction(7, 'credit', { usd: 40n * THOUSAND, stake: false }),
        invest,
      ),
    },
    { hoursBefore: 2, action: enqueue },
    { hoursBefore: 1, action: sequence(repayAction(92, loan, ['USDC', 20n]), pay, pay) },
  ];
}
