import type { Address } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import { globalConfigAddress } from '../../protocol/kvault/pda.ts';
import { tokenAccount } from '../../protocol/spl/layout/token-account.ts';
import { rentExemptLamports } from '../../protocol/spl/rent.ts';
import type { ClusterReader } from '../../state/cluster-reader.ts';
import { assembleBuild } from '../assemble-build.ts';
import type { BuildContext, Builder } from '../build.ts';
import type { BuildDescription, BuildStep, TokenMove } from '../build-summary.ts';
import { stakeAddress } from '../farms/stake-context.ts';
import { unstakeStep, withdrawUnstakedStep } from '../farms/stake-steps.ts';
import { staleStateError } from '../stale-state-error.ts';
import {
  closeTokenAccountStep,
  createTokenAccountStep,
  requiredTokenAccounts,
  walletTokenAddress,
} from '../wallet/token-accounts.ts';
import {
  existingAccount,
  requireAccountsRead,
  unreadAddresses,
} from '../wallet/wallet-accounts.ts';
import { receiveTokenSteps, type WalletSteps } from '../wallet/wallet-steps.ts';
import {
  createShareStake,
  planUnstake,
  readShareHolding,
  type ShareHolding,
  type UnstakePlan,
} from './share-holding.ts';
import {
  isFullExit,
  planShareRedemption,
  type RequestedShares,
  type ShareRedemption,
} from './share-redemption.ts';
import { sharesForTokens } from './shares-for-tokens.ts';
import {
  createVaultActionContext,
  formatVaultShares,
  formatVaultTokens,
  type VaultActionContext,
  vaultLookupTables,
} from './vault-action-context.ts';
import {
  coSignerNotes,
  type RedemptionStep,
  vaultWithdrawInstruction,
} from './vault-instructions.ts';
import type { VaultWithdrawRequest } from './vault-request.ts';

/** Unstakes the shares missing in the wallet, then redeems shares for tokens. */
export const vaultWithdrawBuilder: Builder<VaultWithdrawRequest> = {
  requiredAccounts: (request, context) =>
    unreadAddresses(accountsOf(createVaultActionContext(request, context.state)), context),
  build(request, context) {
    const withdrawal = planVaultWithdrawal(request, context);
    const { target, redemption } = withdrawal;
    const walletSteps = receiveTokenSteps(target.token, redemption.payout, context);
    return assembleBuild(
      {
        wallet: request.wallet,
        steps: stepsOf(withdrawal, walletSteps, context),
        description: describeWithdrawal(withdrawal, walletSteps),
        lookupTables: vaultLookupTables(target, context.state),
        budget: request,
      },
      context,
    );
  },
};

/** All decisions, before instructions are encoded. */
export type VaultWithdrawalPlan = {
  readonly target: VaultActionContext;
  readonly holding: ShareHolding;
  readonly requested: RequestedShares;
  /** The tokens to receive at least; undefined if a number of shares was requested. */
  readonly tokens: bigint | undefined;
  readonly unstakePlan: UnstakePlan | undefined;
  readonly redemption: ShareRedemption;
};

export function planVaultWithdrawal(
  request: VaultWithdrawRequest,
  context: BuildContext,
): VaultWithdrawalPlan {
  const target = createVaultActionContext(request, context.state);
  requireAccountsRead(accountsOf(target), context);
  const holding = readShareHolding(target, context);
  if (holding.total > target.vault.fields.sharesIssued) throw staleVaultError(context.state);
  const requested = requestedShares(request, { target, holding, context });
  const unstakePlan = planUnstake(requested.shares, { target, holding, context });
  const redemption = planShareRedemption(target, requested, context);
  if (redemption.steps.length > 0) {
    return { target, holding, requested, tokens: request.tokens, unstakePlan, redemption };
  }
  const reason = `The vault ${target.name} has no liquidity to pay out now.`;
  throw withdrawError([reason, 'Try again when its reserves have more.']);
}

/** The wallet holds more shares than the indexed vault has issued. */
const staleVaultError = (state: ClusterReader): CodedError =>
  staleStateError({ lastUpdate: state.at() }, state);

function accountsOf(target: VaultActionContext): readonly Address[] {
  const stake = createShareStake(target);
  return [
    target.wallet,
    ...requiredTokenAccounts(target.token),
    ...requiredTokenAccounts(target.shares),
    ...(stake === undefined ? [] : [stakeAddress(stake)]),
    globalConfigAddress(target.vault.program),
  ];
}

function requestedShares(
  { shares, tokens }: VaultWithdrawRequest,
  {
    target,
    holding,
    context,
  }: { target: VaultActionContext; holding: ShareHolding; context: BuildContext },
): RequestedShares {
  const { total } = holding;
  const { wallet, name } = target;
  const pending = pendingNotes(target, holding);
  if (total === 0n)
    throw new CodedError('KVAULT_NO_SHARES', { wallet, vault: name, notes: pending });
  if (tokens !== undefined) {
    return { shares: sharesForTokens(tokens, { target, ...holding, context }), total };
  }
  if (shares === 'all') return { shares: total, total };
  if (shares > 0n && shares <= total) return { shares, total };
  const held = `${wallet} holds ${formatVaultShares(target, total)} of the vault ${name}`;
  const request = `${formatVaultShares(target, shares)} were requested. Request that many or fewer.`;
  throw withdrawError([`${held}; ${request}`, ...pending]);
}

const withdrawError = (reasons: readonly string[]): CodedError =>
  new CodedError('NOTHING_TO_BUILD', { reason: reasons.join(' ') });

const pendingNotes = (target: VaultActionContext, { pending }: ShareHolding): string[] =>
  pending === 0n
    ? []
    : [`Another ${formatVaultShares(target, pending)} are in the warmup or cooldown of the farm.`];

function stepsOf(
  { target, unstakePlan, redemption }: VaultWithdrawalPlan,
  walletSteps: WalletSteps,
  context: BuildContext,
): BuildStep[] {
  return [
    ...(unstakePlan === undefined ? [] : unstakeSteps(target, unstakePlan, context)),
    ...walletSteps.before,
    ...redemption.steps.map((step) => redemptionStep(target, step)),
    ...walletSteps.after,
    ...(redemption.isComplete ? [closeSharesStep(target, context)] : []),
  ];
}

function unstakeSteps(
  { shares }: VaultActionContext,
  { stake, withdrawsUnstaked, sharesScaled }: UnstakePlan,
  context: BuildContext,
): BuildStep[] {
  const steps = [createTokenAccountStep(shares, context)];
  if (withdrawsUnstaked) {
    steps.push(withdrawUnstakedStep(stake, 'Withdraw previously unstaked shares from the farm.'));
  }
  if (sharesScaled > 0n) {
    steps.push(unstakeStep(stake, sharesScaled));
    steps.push(withdrawUnstakedStep(stake, 'Withdraw the unstaked shares from the farm.'));
  }
  return steps;
}

function redemptionStep(target: VaultActionContext, step: RedemptionStep): BuildStep {
  const instruction = vaultWithdrawInstruction(target, step);
  const source =
    step.reserve === undefined
      ? ' from the idle tokens of the vault'
      : ` from the idle tokens of the vault and the reserve ${step.reserve}`;
  return { instruction, why: `Redeem shares for ${target.symbol}${source}.` };
}

function closeSharesStep({ shares }: VaultActionContext, context: BuildContext): BuildStep {
  const account = existingAccount(walletTokenAddress(shares), context);
  const refundLamports = account?.lamports ?? rentExemptLamports(tokenAccount.size);
  return closeTokenAccountStep(shares, {
    why: 'Close the empty share account.',
    refundLamports,
  });
}

function describeWithdrawal(
  { target, holding, requested, tokens, redemption }: VaultWithdrawalPlan,
  walletSteps: WalletSteps,
): BuildDescription {
  const { token, shares, name } = target;
  const amount = requested.shares;
  const isAll = isFullExit(requested);
  const redeemed = isAll
    ? `everything, ${formatVaultShares(target, amount)},`
    : formatVaultShares(target, amount);
  const what =
    tokens === undefined
      ? redeemed
      : `at least ${formatVaultTokens(target, tokens)} for ${formatVaultShares(target, amount)}`;
  const received = { mint: token.mint, decimals: token.decimals };
  const payout: TokenMove =
    tokens === undefined
      ? { ...received, amount: redemption.payout, certainty: 'about' }
      : { ...received, amount: tokens, certainty: 'at least' };
  return {
    summary: `Withdraw ${what} from the vault ${name}.`,
    pays: [
      {
        mint: shares.mint,
        decimals: shares.decimals,
        amount,
        certainty: isAll && !redemption.isComplete ? 'at most' : 'exactly',
      },
    ],
    receives: redemption.payout > 0n ? [payout] : [],
    notes: [
      ...coSignerNotes(target),
      ...walletSteps.notes,
      ...redemption.notes,
      ...(isAll ? pendingNotes(target, holding) : []),
    ],
  };
}
