import { type Address, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import { U64_MAX } from '../../base/numbers/lamports.ts';
import { isSlotBased } from '../../protocol/farms/math/farm-time.ts';
import { depositToVault } from '../../protocol/kvault/operations/deposit-to-vault.ts';
import { unmodeledVaultRules } from '../../protocol/kvault/unmodeled-rules.ts';
import { assembleBuild } from '../assemble-build.ts';
import type { BuildContext, Builder } from '../build.ts';
import { readStake, type StakeContext, stakeAddress } from '../farms/stake-context.ts';
import { initializeUserStep, stakeAllStep } from '../farms/stake-steps.ts';
import type { BuildStep, PlanDescription } from '../plan.ts';
import { resultOrError } from '../result-or-error.ts';
import {
  createTokenAccountStep,
  isWrappedSol,
  readWalletToken,
  requiredTokenAccounts,
  wrapSolSteps,
} from '../wallet/token-accounts.ts';
import { requireAccountsRead, unreadAddresses } from '../wallet/wallet-accounts.ts';
import { createShareStake } from './share-holding.ts';
import {
  createVaultActionContext,
  formatVaultShares,
  formatVaultTokens,
  type VaultActionContext,
  vaultLookupTables,
} from './vault-action-context.ts';
import { decodeVault, vaultRatesAtSlot } from './vault-at-slot.ts';
import { vaultDepositInstruction } from './vault-instructions.ts';
import type { VaultDepositRequest } from './vault-request.ts';

/** Tokens for shares, which are staked where the vault has a farm for them. */
export const vaultDepositBuilder: Builder<VaultDepositRequest> = {
  needs: (request, scene) => unreadAddresses(accountsOf(planVaultDeposit(request, scene)), scene),
  build(request, scene) {
    const deposit = planVaultDeposit(request, scene);
    requireAccountsRead(accountsOf(deposit), scene);
    return assembleBuild(
      {
        wallet: request.wallet,
        steps: stepsOf(deposit, scene),
        told: toldOf(deposit, scene),
        tables: vaultLookupTables(deposit.place, scene.state),
        budget: request,
      },
      scene,
    );
  },
};

export type VaultDepositPlan = {
  readonly place: VaultActionContext;
  readonly amount: bigint;
  /** Undefined where the shares stay in the wallet. */
  readonly stake: StakeContext | undefined;
};

export function planVaultDeposit(
  request: VaultDepositRequest,
  { state }: BuildContext,
): VaultDepositPlan {
  const place = createVaultActionContext(request, state);
  const { amount } = request;
  // the programs take the largest number for a balance, which was not asked for
  if (amount <= 0n || amount >= U64_MAX) {
    const reason = `"${amount}" is not an amount that can be deposited. Name one.`;
    throw new CodedError('NOTHING_TO_BUILD', { reason });
  }
  const stake = request.stake === false ? undefined : createShareStake(place);
  return { place, amount, stake };
}

const accountsOf = ({ place, stake }: VaultDepositPlan): readonly Address[] => [
  place.wallet,
  ...requiredTokenAccounts(place.token),
  ...requiredTokenAccounts(place.shares),
  ...(stake === undefined ? [] : [stakeAddress(stake)]),
];

function stepsOf({ place, amount, stake }: VaultDepositPlan, scene: BuildContext): BuildStep[] {
  const { token, shares, name } = place;
  const wrap = [createTokenAccountStep(token, scene), ...wrapSolSteps(token, amount)];
  const why = `Deposit ${formatVaultTokens(place, amount)} into the vault ${name}.`;
  return [
    ...(isWrappedSol(token) ? wrap : []),
    createTokenAccountStep(shares, scene),
    { instruction: vaultDepositInstruction(place, amount), why },
    ...(stake === undefined ? [] : stakeSteps(stake, scene)),
  ];
}

const stakeSteps = (stake: StakeContext, scene: BuildContext): BuildStep[] => [
  ...(readStake(stake, scene) === undefined ? [initializeUserStep(stake)] : []),
  stakeAllStep(stake),
];

function toldOf(deposit: VaultDepositPlan, scene: BuildContext): PlanDescription {
  const { place, amount, stake } = deposit;
  const { token, shares, name } = place;
  const outcome = mintedShares(deposit, scene);
  const minted = outcome instanceof CodedError ? 0n : outcome.sharesToMint;
  const staked = stake === undefined ? '' : ' and stake the shares';
  const received = { mint: shares.mint, decimals: shares.decimals, amount: minted };
  return {
    summary: `Deposit ${formatVaultTokens(place, amount)} into the vault ${name}${staked}.`,
    pays: [{ mint: token.mint, decimals: token.decimals, amount, certainty: 'at most' }],
    receives: minted > 0n ? [{ ...received, certainty: 'about' }] : [],
    notes: [
      ...(outcome instanceof CodedError
        ? [`The vault program is expected to refuse this. ${outcome.message}`]
        : []),
      ...depositNotes(place),
      ...(stake === undefined ? unstakedNotes(place) : stakeNotes(place, stake, scene)),
    ],
  };
}

const mintedShares = ({ place, amount }: VaultDepositPlan, { state }: BuildContext) =>
  resultOrError(() =>
    depositToVault(decodeVault(place), vaultRatesAtSlot(place, state, 0n), amount),
  );

function depositNotes({ vault, token }: VaultActionContext): string[] {
  const notes: string[] = [];
  if (isWrappedSol(token)) {
    notes.push(
      'The vault takes what whole shares cost; what is left of the amount stays wrapped in the wallet.',
    );
  }
  if (unmodeledVaultRules(vault.fields).some(({ rule }) => rule === 'deposit cap')) {
    notes.push('The vault has a cap on deposits; whether it is reached only the chain can tell.');
  }
  return notes;
}

function unstakedNotes({ vault, farm }: VaultActionContext): string[] {
  if (farm !== undefined)
    return ['The shares stay in the wallet: without a stake they earn no rewards of the farm.'];
  if (vault.fields.vaultFarm === ZERO_ADDRESS) return [];
  return [
    `The farm ${vault.fields.vaultFarm} that the vault names takes no shares from a wallet: nothing is staked.`,
  ];
}

/** The program stakes all that is in the wallet's account. */
function stakeNotes(
  place: VaultActionContext,
  { farm }: StakeContext,
  scene: BuildContext,
): string[] {
  const { depositWarmupPeriod, withdrawalCooldownPeriod, lockingMode } = farm.fields;
  const unit = isSlotBased(farm.fields) ? 'slots' : 'seconds';
  const notes: string[] = [];
  const held = readWalletToken(place.shares, scene)?.amount ?? 0n;
  if (held > 0n)
    notes.push(`The ${formatVaultShares(place, held)} that the wallet holds are staked, too.`);
  if (depositWarmupPeriod > 0) {
    notes.push(`The farm counts a stake only after ${depositWarmupPeriod} ${unit}.`);
  }
  if (withdrawalCooldownPeriod > 0) {
    notes.push(
      `The farm keeps shares for ${withdrawalCooldownPeriod} ${unit} after they are unstaked.`,
    );
  }
  if (lockingMode > 0n) {
    notes.push('The farm locks stakes for a time: leaving early is refused or costs shares.');
  }
  return notes;
}
