import { type Address, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import { U64_MAX } from '../../base/numbers/lamports.ts';
import { countsSlots } from '../../protocol/farms/math/farm-time.ts';
import { depositToVault } from '../../protocol/kvault/operations/deposit-to-vault.ts';
import { rulesInUse } from '../../protocol/kvault/unmodeled-rules.ts';
import { assemble } from '../assemble-build.ts';
import type { Builder, Scene } from '../build.ts';
import { type FarmStake, heldStake, stakeAddress } from '../farms/stake-context.ts';
import { openStakeStep, stakeAllStep } from '../farms/stake-steps.ts';
import type { Step, Told } from '../plan.ts';
import { orRefusal } from '../result-or-error.ts';
import {
  createTokenStep,
  heldToken,
  isWrappedSol,
  tokenNeeds,
  wrapSteps,
} from '../wallet/token-accounts.ts';
import { requireRead, unread } from '../wallet/wallet-accounts.ts';
import { shareStake } from './share-holding.ts';
import {
  sharesText,
  tokensText,
  type VaultPlace,
  vaultPlace,
  vaultTables,
} from './vault-action-context.ts';
import { vaultMoment, vaultOf } from './vault-at-slot.ts';
import { depositInstruction } from './vault-instructions.ts';
import type { VaultDepositRequest } from './vault-request.ts';

/** Tokens for shares, which are staked where the vault has a farm for them. */
export const vaultDeposit: Builder<VaultDepositRequest> = {
  needs: (request, scene) => unread(accountsOf(depositPlace(request, scene)), scene),
  build(request, scene) {
    const deposit = depositPlace(request, scene);
    requireRead(accountsOf(deposit), scene);
    return assemble(
      {
        wallet: request.wallet,
        steps: stepsOf(deposit, scene),
        told: toldOf(deposit, scene),
        tables: vaultTables(deposit.place, scene.state),
        budget: request,
      },
      scene,
    );
  },
};

export type VaultDeposit = {
  readonly place: VaultPlace;
  readonly amount: bigint;
  /** Undefined where the shares stay in the wallet. */
  readonly stake: FarmStake | undefined;
};

export function depositPlace(request: VaultDepositRequest, { state }: Scene): VaultDeposit {
  const place = vaultPlace(request, state);
  const { amount } = request;
  // the programs take the largest number for a balance, which was not asked for
  if (amount <= 0n || amount >= U64_MAX) {
    const reason = `"${amount}" is not an amount that can be deposited. Name one.`;
    throw new CodedError('NOTHING_TO_BUILD', { reason });
  }
  const stake = request.stake === false ? undefined : shareStake(place);
  return { place, amount, stake };
}

const accountsOf = ({ place, stake }: VaultDeposit): readonly Address[] => [
  place.wallet,
  ...tokenNeeds(place.token),
  ...tokenNeeds(place.shares),
  ...(stake === undefined ? [] : [stakeAddress(stake)]),
];

function stepsOf({ place, amount, stake }: VaultDeposit, scene: Scene): Step[] {
  const { token, shares, name } = place;
  const wrap = [createTokenStep(token, scene), ...wrapSteps(token, amount)];
  const why = `Deposit ${tokensText(place, amount)} into the vault ${name}.`;
  return [
    ...(isWrappedSol(token) ? wrap : []),
    createTokenStep(shares, scene),
    { instruction: depositInstruction(place, amount), why },
    ...(stake === undefined ? [] : stakeSteps(stake, scene)),
  ];
}

const stakeSteps = (stake: FarmStake, scene: Scene): Step[] => [
  ...(heldStake(stake, scene) === undefined ? [openStakeStep(stake)] : []),
  stakeAllStep(stake),
];

function toldOf(deposit: VaultDeposit, scene: Scene): Told {
  const { place, amount, stake } = deposit;
  const { token, shares, name } = place;
  const outcome = mintedShares(deposit, scene);
  const minted = outcome instanceof CodedError ? 0n : outcome.sharesToMint;
  const staked = stake === undefined ? '' : ' and stake the shares';
  const received = { mint: shares.mint, decimals: shares.decimals, amount: minted };
  return {
    summary: `Deposit ${tokensText(place, amount)} into the vault ${name}${staked}.`,
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

const mintedShares = ({ place, amount }: VaultDeposit, { state }: Scene) =>
  orRefusal(() => depositToVault(vaultOf(place), vaultMoment(place, state, 0n), amount));

function depositNotes({ vault, token }: VaultPlace): string[] {
  const notes: string[] = [];
  if (isWrappedSol(token)) {
    notes.push(
      'The vault takes what whole shares cost; what is left of the amount stays wrapped in the wallet.',
    );
  }
  if (rulesInUse(vault.fields).some(({ rule }) => rule === 'deposit cap')) {
    notes.push('The vault has a cap on deposits; whether it is reached only the chain can tell.');
  }
  return notes;
}

function unstakedNotes({ vault, farm }: VaultPlace): string[] {
  if (farm !== undefined)
    return ['The shares stay in the wallet: without a stake they earn no rewards of the farm.'];
  if (vault.fields.vaultFarm === ZERO_ADDRESS) return [];
  return [
    `The farm ${vault.fields.vaultFarm} that the vault names takes no shares from a wallet: nothing is staked.`,
  ];
}

/** The program stakes all that is in the wallet's account. */
function stakeNotes(place: VaultPlace, { farm }: FarmStake, scene: Scene): string[] {
  const { depositWarmupPeriod, withdrawalCooldownPeriod, lockingMode } = farm.fields;
  const unit = countsSlots(farm.fields) ? 'slots' : 'seconds';
  const notes: string[] = [];
  const held = heldToken(place.shares, scene)?.amount ?? 0n;
  if (held > 0n)
    notes.push(`The ${sharesText(place, held)} that the wallet holds are staked, too.`);
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
