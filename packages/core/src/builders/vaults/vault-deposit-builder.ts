import { type Address, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import { formatShortUnits } from '../../base/numbers/decimal.ts';
import { U64_MAX } from '../../base/numbers/lamports.ts';
import { isSlotBased } from '../../protocol/farms/math/issuance.ts';
import {
  type DepositEffects,
  depositToVault,
} from '../../protocol/kvault/operations/deposit-to-vault.ts';
import { assembleBuild } from '../assemble-build.ts';
import type { BuildContext, Builder } from '../build.ts';
import type { BuildDescription, BuildStep, TokenMove } from '../build-summary.ts';
import { readStake, type StakeContext, stakeAddress } from '../farms/stake-context.ts';
import { initializeUserStep, stakeAllStep } from '../farms/stake-steps.ts';
import { resultOrError } from '../result-or-error.ts';
import {
  createTokenAccountStep,
  isWrappedSol,
  readWalletToken,
  requiredTokenAccounts,
  wrapSolSteps,
} from '../wallet/token-accounts.ts';
import { requireAccountsRead, unreadAddresses } from '../wallet/wallet-accounts.ts';
import { minDepositShares } from './min-deposit-shares.ts';
import { createShareStake } from './share-holding.ts';
import {
  createVaultActionContext,
  formatVaultTokens,
  type VaultActionContext,
  vaultLookupTables,
} from './vault-action-context.ts';
import { decodeVault, vaultRatesAtSlot } from './vault-at-slot.ts';
import { coSignerNotes, vaultDepositInstruction } from './vault-instructions.ts';
import type { VaultDepositRequest } from './vault-request.ts';

/** Deposits tokens for shares, and stakes the shares if the vault has a farm for them. */
export const vaultDepositBuilder: Builder<VaultDepositRequest> = {
  requiredAccounts: (request, context) =>
    unreadAddresses(accountsOf(planVaultDeposit(request, context)), context),
  build(request, context) {
    const deposit = planVaultDeposit(request, context);
    requireAccountsRead(accountsOf(deposit), context);
    return assembleBuild(
      {
        wallet: request.wallet,
        steps: stepsOf(deposit, context),
        description: describeDeposit(deposit, context),
        lookupTables: vaultLookupTables(deposit.target, context.state),
        budget: request,
      },
      context,
    );
  },
};

export type VaultDepositPlan = {
  readonly target: VaultActionContext;
  readonly amount: bigint;
  /** Undefined if the shares stay in the wallet. */
  readonly stake: StakeContext | undefined;
};

export function planVaultDeposit(
  request: VaultDepositRequest,
  { state }: BuildContext,
): VaultDepositPlan {
  const target = createVaultActionContext(request, state);
  const { amount } = request;
  // The programs treat U64_MAX as the whole balance, which was not requested.
  if (amount <= 0n || amount >= U64_MAX) {
    const reason = `"${amount}" cannot be deposited. Use an amount above zero.`;
    throw new CodedError('NOTHING_TO_BUILD', { reason });
  }
  const stake = request.stake === false ? undefined : createShareStake(target);
  return { target, amount, stake };
}

const accountsOf = ({ target, stake }: VaultDepositPlan): readonly Address[] => [
  target.wallet,
  ...requiredTokenAccounts(target.token),
  ...requiredTokenAccounts(target.shares),
  ...(stake === undefined ? [] : [stakeAddress(stake)]),
];

function stepsOf({ target, amount, stake }: VaultDepositPlan, context: BuildContext): BuildStep[] {
  const { token, shares, name } = target;
  const wrap = [createTokenAccountStep(token, context), ...wrapSolSteps(token, amount)];
  const why = `Deposit ${formatVaultTokens(target, amount)} into the vault ${name}.`;
  const minSharesOut = minDepositShares({ target, amount }, context);
  return [
    ...(isWrappedSol(token) ? wrap : []),
    createTokenAccountStep(shares, context),
    { instruction: vaultDepositInstruction(target, amount, minSharesOut), why },
    ...(stake === undefined ? [] : stakeSteps(stake, context)),
  ];
}

const stakeSteps = (stake: StakeContext, context: BuildContext): BuildStep[] => [
  ...(readStake(stake, context) === undefined ? [initializeUserStep(stake)] : []),
  stakeAllStep(stake),
];

function describeDeposit(deposit: VaultDepositPlan, context: BuildContext): BuildDescription {
  const { target, stake } = deposit;
  const { token, shares, name } = target;
  const outcome = depositNow(deposit, context);
  const minted = outcome instanceof CodedError ? 0n : outcome.sharesToMint;
  const { amount, certainty } = paidAmount(deposit, outcome);
  const staked = stake === undefined ? '' : ' and stake the shares';
  const received = { mint: shares.mint, decimals: shares.decimals, amount: minted };
  return {
    summary: `Deposit ${formatVaultTokens(target, amount)} into the vault ${name}${staked}.`,
    pays: [{ mint: token.mint, decimals: token.decimals, amount, certainty }],
    receives: minted > 0n ? [{ ...received, certainty: 'about' }] : [],
    notes: [
      ...(outcome instanceof CodedError
        ? [`The vault program is expected to reject this. ${outcome.message}`]
        : []),
      ...coSignerNotes(target),
      ...depositNotes(deposit, outcome),
      ...(stake === undefined ? unstakedNotes(target) : stakeNotes(target, stake, context)),
    ],
  };
}

type DepositOutcome = DepositEffects | CodedError;

const depositNow = (
  { target, amount }: VaultDepositPlan,
  { state }: BuildContext,
): DepositOutcome =>
  resultOrError(() =>
    depositToVault(decodeVault(target), vaultRatesAtSlot(target, state, 0n), { maxAmount: amount }),
  );

const isCut = (outcome: DepositOutcome): outcome is DepositEffects =>
  !(outcome instanceof CodedError) && outcome.isCut;

/** A deposit that the cap of the vault cuts may pay more if others withdraw first. */
const paidAmount = (
  { amount }: VaultDepositPlan,
  outcome: DepositOutcome,
): Pick<TokenMove, 'amount' | 'certainty'> =>
  isCut(outcome)
    ? { amount: outcome.tokenToDeposit + outcome.crankFundsToDeposit, certainty: 'about' }
    : { amount, certainty: 'at most' };

function depositNotes({ target, amount }: VaultDepositPlan, outcome: DepositOutcome): string[] {
  const notes: string[] = [];
  if (isWrappedSol(target.token)) {
    notes.push(
      'The vault takes the cost of whole shares; the rest of the amount stays wrapped in the wallet.',
    );
  }
  if (isCut(outcome)) {
    const taken = formatVaultTokens(target, outcome.tokenToDeposit + outcome.crankFundsToDeposit);
    const cap = formatVaultTokens(target, target.vault.fields.depositCap);
    notes.push(
      `The deposit cap of ${cap} leaves room for a part only: the vault takes about ${taken} of ${formatVaultTokens(target, amount)}. The transaction fails if less is left.`,
    );
  }
  return notes;
}

function unstakedNotes({ vault, farm }: VaultActionContext): string[] {
  if (farm !== undefined) {
    return ['The shares stay in the wallet; unstaked shares earn no farm rewards.'];
  }
  if (vault.fields.vaultFarm === ZERO_ADDRESS) return [];
  return [
    `The farm ${vault.fields.vaultFarm} of the vault accepts no shares from wallets, so nothing is staked.`,
  ];
}

/** The program stakes the whole balance of the share account. */
function stakeNotes(
  target: VaultActionContext,
  { farm }: StakeContext,
  context: BuildContext,
): string[] {
  const { depositWarmupPeriod, withdrawalCooldownPeriod, lockingMode } = farm.fields;
  const unit = isSlotBased(farm.fields) ? 'slots' : 'seconds';
  const notes: string[] = [];
  const held = readWalletToken(target.shares, context)?.amount ?? 0n;
  if (held > 0n) {
    notes.push(
      `The ${formatShortUnits(held, target.shares.decimals)} shares already in the wallet are staked as well.`,
    );
  }
  if (depositWarmupPeriod > 0) {
    notes.push(`The farm counts a stake after ${depositWarmupPeriod} ${unit}.`);
  }
  if (withdrawalCooldownPeriod > 0) {
    notes.push(`The farm has a cooldown of ${withdrawalCooldownPeriod} ${unit} after unstaking.`);
  }
  if (lockingMode > 0n) {
    notes.push('The farm locks stakes for a time; unstaking early fails or costs shares.');
  }
  return notes;
}
