import type { Address } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import { globalConfigAddress } from '../../protocol/kvault/pda.ts';
import { tokenAccount } from '../../protocol/spl/layout/token-account.ts';
import { rentExempt } from '../../protocol/spl/rent.ts';
import type { ClusterReader } from '../../state/cluster-reader.ts';
import { assemble } from '../assemble-build.ts';
import type { Builder, Scene } from '../build.ts';
import { stakeAddress } from '../farms/stake-context.ts';
import { takeUnstakedStep, unstakeStep } from '../farms/stake-steps.ts';
import type { Step, Told } from '../plan.ts';
import { staleState } from '../stale-state-error.ts';
import {
  closeTokenStep,
  createTokenStep,
  tokenAddress,
  tokenNeeds,
} from '../wallet/token-accounts.ts';
import { createdAccount, requireRead, unread } from '../wallet/wallet-accounts.ts';
import { receiveSide, type WalletSide } from '../wallet/wallet-steps.ts';
import {
  type ShareHolding,
  shareHolding,
  shareStake,
  type Unstaking,
  unstakingFor,
} from './share-holding.ts';
import { isExit, planExit, type VaultExit, type Wanted } from './share-redemption.ts';
import { sharesText, type VaultPlace, vaultPlace, vaultTables } from './vault-action-context.ts';
import { type ExitLeg, exitInstruction } from './vault-instructions.ts';
import type { VaultWithdrawRequest } from './vault-request.ts';

/** Shares out of the farm as far as the wallet lacks them, then tokens for them. */
export const vaultWithdraw: Builder<VaultWithdrawRequest> = {
  needs: (request, scene) => unread(accountsOf(vaultPlace(request, scene.state)), scene),
  build(request, scene) {
    const withdrawal = planWithdrawal(request, scene);
    const { place, exit } = withdrawal;
    const side = receiveSide(place.token, exit.payout, scene);
    return assemble(
      {
        wallet: request.wallet,
        steps: stepsOf(withdrawal, side, scene),
        told: toldOf(withdrawal, side),
        tables: vaultTables(place, scene.state),
        budget: request,
      },
      scene,
    );
  },
};

/** All that is decided before instructions are written. */
export type Withdrawal = {
  readonly place: VaultPlace;
  readonly holding: ShareHolding;
  readonly wanted: Wanted;
  readonly unstaking: Unstaking | undefined;
  readonly exit: VaultExit;
};

export function planWithdrawal(request: VaultWithdrawRequest, scene: Scene): Withdrawal {
  const place = vaultPlace(request, scene.state);
  requireRead(accountsOf(place), scene);
  const holding = shareHolding(place, scene);
  if (holding.total > place.vault.fields.sharesIssued) throw newerThan(scene.state);
  const wanted = wantedShares(request, place, holding);
  const unstaking = unstakingFor(wanted.shares, { place, holding, scene });
  const exit = planExit(place, wanted, scene);
  if (exit.legs.length > 0) return { place, holding, wanted, unstaking, exit };
  const dry = `The vault ${place.name} has nothing at hand to pay out now.`;
  throw refused([dry, 'Try again when its reserves have more.']);
}

/** Shares that the vault is not known to have issued yet. */
const newerThan = (state: ClusterReader): CodedError =>
  staleState({ lastUpdate: state.at() }, state);

function accountsOf(place: VaultPlace): readonly Address[] {
  const stake = shareStake(place);
  return [
    place.wallet,
    ...tokenNeeds(place.token),
    ...tokenNeeds(place.shares),
    ...(stake === undefined ? [] : [stakeAddress(stake)]),
    globalConfigAddress(place.vault.program),
  ];
}

function wantedShares(
  { shares }: VaultWithdrawRequest,
  place: VaultPlace,
  holding: ShareHolding,
): Wanted {
  const { total } = holding;
  const { wallet, name } = place;
  const waiting = waitingNotes(place, holding);
  if (total === 0n) {
    throw refused([`${wallet} holds no shares of the vault ${name} to withdraw.`, ...waiting]);
  }
  if (shares === 'all') return { shares: total, total };
  if (shares > 0n && shares <= total) return { shares, total };
  const held = `${wallet} holds ${sharesText(place, total)} of the vault ${name}`;
  const asked = `${sharesText(place, shares)} were asked for. Ask for that many or fewer.`;
  throw refused([`${held}, ${asked}`, ...waiting]);
}

const refused = (reasons: readonly string[]): CodedError =>
  new CodedError('NOTHING_TO_BUILD', { reason: reasons.join(' ') });

const waitingNotes = (place: VaultPlace, { waiting }: ShareHolding): string[] =>
  waiting === 0n
    ? []
    : [`${sharesText(place, waiting)} more are on their way into its farm or out of it.`];

function stepsOf({ place, unstaking, exit }: Withdrawal, side: WalletSide, scene: Scene): Step[] {
  return [
    ...(unstaking === undefined ? [] : unstakeSteps(place, unstaking, scene)),
    ...side.before,
    ...exit.legs.map((leg) => exitStep(place, leg)),
    ...side.after,
    ...(exit.isComplete ? [closeSharesStep(place, scene)] : []),
  ];
}

function unstakeSteps(
  { shares }: VaultPlace,
  { stake, takesDue, sharesScaled }: Unstaking,
  scene: Scene,
): Step[] {
  const steps = [createTokenStep(shares, scene)];
  if (takesDue) steps.push(takeUnstakedStep(stake, 'Take the shares that were unstaked earlier.'));
  if (sharesScaled > 0n) {
    steps.push(unstakeStep(stake, sharesScaled));
    steps.push(takeUnstakedStep(stake, 'Take the unstaked shares out of the farm.'));
  }
  return steps;
}

function exitStep(place: VaultPlace, leg: ExitLeg): Step {
  const instruction = exitInstruction(place, leg);
  const source =
    leg.reserve === undefined
      ? ' that the vault has at hand'
      : `, what is not at hand out of the reserve ${leg.reserve}`;
  return { instruction, why: `Turn shares into ${place.symbol}${source}.` };
}

function closeSharesStep({ shares }: VaultPlace, scene: Scene): Step {
  const account = createdAccount(tokenAddress(shares), scene);
  const refundLamports = account?.lamports ?? rentExempt(tokenAccount.size);
  return closeTokenStep(shares, { why: 'Close the empty account for shares.', refundLamports });
}

function toldOf({ place, holding, wanted, exit }: Withdrawal, side: WalletSide): Told {
  const { token, shares, name } = place;
  const amount = wanted.shares;
  const isAll = isExit(wanted);
  const what = isAll ? `everything, ${sharesText(place, amount)},` : sharesText(place, amount);
  const received = { mint: token.mint, decimals: token.decimals, amount: exit.payout };
  return {
    summary: `Withdraw ${what} from the vault ${name}.`,
    pays: [
      {
        mint: shares.mint,
        decimals: shares.decimals,
        amount,
        certainty: isAll && !exit.isComplete ? 'at most' : 'exactly',
      },
    ],
    receives: exit.payout > 0n ? [{ ...received, certainty: 'about' }] : [],
    notes: [...side.notes, ...exit.notes, ...(isAll ? waitingNotes(place, holding) : [])],
  };
}
