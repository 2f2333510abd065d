import type { Address } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import { globalConfigAddress } from '../../protocol/kvault/pda.ts';
import { tokenAccount } from '../../protocol/spl/layout/token-account.ts';
import { rentExemptLamports } from '../../protocol/spl/rent.ts';
import type { ClusterReader } from '../../state/cluster-reader.ts';
import { assembleBuild } from '../assemble-build.ts';
import type { BuildContext, Builder } from '../build.ts';
import { stakeAddress } from '../farms/stake-context.ts';
import { unstakeStep, withdrawUnstakedStep } from '../farms/stake-steps.ts';
import type { BuildStep, PlanDescription } from '../plan.ts';
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
import {
  createVaultActionContext,
  formatVaultShares,
  type VaultActionContext,
  vaultLookupTables,
} from './vault-action-context.ts';
import { type RedemptionLeg, vaultWithdrawInstruction } from './vault-instructions.ts';
import type { VaultWithdrawRequest } from './vault-request.ts';

/** Shares out of the farm as far as the wallet lacks them, then tokens for them. */
export const vaultWithdrawBuilder: Builder<VaultWithdrawRequest> = {
  needs: (request, scene) =>
    unreadAddresses(accountsOf(createVaultActionContext(request, scene.state)), scene),
  build(request, scene) {
    const withdrawal = planVaultWithdrawal(request, scene);
    const { place, exit } = withdrawal;
    const side = receiveTokenSteps(place.token, exit.payout, scene);
    return assembleBuild(
      {
        wallet: request.wallet,
        steps: stepsOf(withdrawal, side, scene),
        told: toldOf(withdrawal, side),
        tables: vaultLookupTables(place, scene.state),
        budget: request,
      },
      scene,
    );
  },
};

/** All that is decided before instructions are written. */
export type VaultWithdrawalPlan = {
  readonly place: VaultActionContext;
  readonly holding: ShareHolding;
  readonly wanted: RequestedShares;
  readonly unstaking: UnstakePlan | undefined;
  readonly exit: ShareRedemption;
};

export function planVaultWithdrawal(
  request: VaultWithdrawRequest,
  scene: BuildContext,
): VaultWithdrawalPlan {
  const place = createVaultActionContext(request, scene.state);
  requireAccountsRead(accountsOf(place), scene);
  const holding = readShareHolding(place, scene);
  if (holding.total > place.vault.fields.sharesIssued) throw newerThan(scene.state);
  const wanted = wantedShares(request, place, holding);
  const unstaking = planUnstake(wanted.shares, { place, holding, scene });
  const exit = planShareRedemption(place, wanted, scene);
  if (exit.legs.length > 0) return { place, holding, wanted, unstaking, exit };
  const dry = `The vault ${place.name} has nothing at hand to pay out now.`;
  throw refused([dry, 'Try again when its reserves have more.']);
}

/** Shares that the vault is not known to have issued yet. */
const newerThan = (state: ClusterReader): CodedError =>
  staleStateError({ lastUpdate: state.at() }, state);

function accountsOf(place: VaultActionContext): readonly Address[] {
  const stake = createShareStake(place);
  return [
    place.wallet,
    ...requiredTokenAccounts(place.token),
    ...requiredTokenAccounts(place.shares),
    ...(stake === undefined ? [] : [stakeAddress(stake)]),
    globalConfigAddress(place.vault.program),
  ];
}

function wantedShares(
  { shares }: VaultWithdrawRequest,
  place: VaultActionContext,
  holding: ShareHolding,
): RequestedShares {
  const { total } = holding;
  const { wallet, name } = place;
  const waiting = waitingNotes(place, holding);
  if (total === 0n) {
    throw refused([`${wallet} holds no shares of the vault ${name} to withdraw.`, ...waiting]);
  }
  if (shares === 'all') return { shares: total, total };
  if (shares > 0n && shares <= total) return { shares, total };
  const held = `${wallet} holds ${formatVaultShares(place, total)} of the vault ${name}`;
  const asked = `${formatVaultShares(place, shares)} were asked for. Ask for that many or fewer.`;
  throw refused([`${held}, ${asked}`, ...waiting]);
}

const refused = (reasons: readonly string[]): CodedError =>
  new CodedError('NOTHING_TO_BUILD', { reason: reasons.join(' ') });

const waitingNotes = (place: VaultActionContext, { waiting }: ShareHolding): string[] =>
  waiting === 0n
    ? []
    : [`${formatVaultShares(place, waiting)} more are on their way into its farm or out of it.`];

function stepsOf(
  { place, unstaking, exit }: VaultWithdrawalPlan,
  side: WalletSteps,
  scene: BuildContext,
): BuildStep[] {
  return [
    ...(unstaking === undefined ? [] : unstakeSteps(place, unstaking, scene)),
    ...side.before,
    ...exit.legs.map((leg) => exitStep(place, leg)),
    ...side.after,
    ...(exit.isComplete ? [closeSharesStep(place, scene)] : []),
  ];
}

function unstakeSteps(
  { shares }: VaultActionContext,
  { stake, takesDue, sharesScaled }: UnstakePlan,
  scene: BuildContext,
): BuildStep[] {
  const steps = [createTokenAccountStep(shares, scene)];
  if (takesDue)
    steps.push(withdrawUnstakedStep(stake, 'Take the shares that were unstaked earlier.'));
  if (sharesScaled > 0n) {
    steps.push(unstakeStep(stake, sharesScaled));
    steps.push(withdrawUnstakedStep(stake, 'Take the unstaked shares out of the farm.'));
  }
  return steps;
}

function exitStep(place: VaultActionContext, leg: RedemptionLeg): BuildStep {
  const instruction = vaultWithdrawInstruction(place, leg);
  const source =
    leg.reserve === undefined
      ? ' that the vault has at hand'
      : `, what is not at hand out of the reserve ${leg.reserve}`;
  return { instruction, why: `Turn shares into ${place.symbol}${source}.` };
}

function closeSharesStep({ shares }: VaultActionContext, scene: BuildContext): BuildStep {
  const account = existingAccount(walletTokenAddress(shares), scene);
  const refundLamports = account?.lamports ?? rentExemptLamports(tokenAccount.size);
  return closeTokenAccountStep(shares, {
    why: 'Close the empty account for shares.',
    refundLamports,
  });
}

function toldOf(
  { place, holding, wanted, exit }: VaultWithdrawalPlan,
  side: WalletSteps,
): PlanDescription {
  const { token, shares, name } = place;
  const amount = wanted.shares;
  const isAll = isFullExit(wanted);
  const what = isAll
    ? `everything, ${formatVaultShares(place, amount)},`
    : formatVaultShares(place, amount);
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
