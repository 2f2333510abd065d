import type { Address } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import { formatUnits } from '../../base/numbers/decimal.ts';
import { assembleBuild } from '../assemble-build.ts';
import type { BuildContext, Builder, LookupTable } from '../build.ts';
import { readStake, stakeAddress } from '../farms/stake-context.ts';
import { harvestStep } from '../farms/stake-steps.ts';
import { lendingLookupTables } from '../lending/lending-lookup-tables.ts';
import { readWalletMetadata } from '../lending/lending-position.ts';
import type { BuildStep, PlanDescription, TokenMove } from '../plan.ts';
import { vaultLookupTables } from '../vaults/vault-action-context.ts';
import {
  createTokenAccountStep,
  isWrappedSol,
  readWalletToken,
  requiredTokenAccounts,
} from '../wallet/token-accounts.ts';
import {
  existingAccount,
  requireAccountsRead,
  unreadAddresses,
} from '../wallet/wallet-accounts.ts';
import { receiveTokenSteps, type WalletSteps } from '../wallet/wallet-steps.ts';
import { type ClaimContext, createClaimContext, rewardTokens } from './claim-context.ts';
import type { ClaimRequest } from './claim-request.ts';
import { findRewardClaims, type RewardClaim, type RewardClaims } from './reward-claims.ts';

/** Every reward that can be claimed, each into the wallet's account for its token. */
export const claimBuilder: Builder<ClaimRequest> = {
  needs: (request, scene) =>
    unreadAddresses(accountsOf(createClaimContext(request, scene.state), scene), scene),
  build(request, scene) {
    const { place, claims, notes } = planRewardClaims(request, scene);
    return assembleBuild(
      {
        wallet: request.wallet,
        steps: stepsOf(claims, scene),
        told: toldOf(place, { claims, notes }, scene),
        tables: tablesOf(place, scene),
        budget: request,
      },
      scene,
    );
  },
};

export function planRewardClaims(
  request: ClaimRequest,
  scene: BuildContext,
): RewardClaims & { readonly place: ClaimContext } {
  const place = createClaimContext(request, scene.state);
  requireAccountsRead(accountsOf(place, scene), scene);
  requireStake(place, scene);
  const { claims, notes } = findRewardClaims(place, scene);
  if (claims.length > 0) return { place, claims, notes };
  const reason = [`There is nothing to claim for ${place.source} now.`, ...notes].join(' ');
  throw new CodedError('NOTHING_TO_BUILD', { reason });
}

function accountsOf(place: ClaimContext, scene: BuildContext): readonly Address[] {
  const { wallet, loan, stakes } = place;
  const table = loan && readWalletMetadata(scene, wallet)?.lookupTable;
  return [
    wallet,
    ...(loan === undefined ? [] : [loan.obligation, loan.userMetadata]),
    ...(table === undefined ? [] : [table]),
    ...stakes.map(stakeAddress),
    ...stakes.flatMap((stake) => rewardTokens(place, stake)).flatMap(requiredTokenAccounts),
  ];
}

/** Rewards outlive the loan that earned them, so that only a wallet without both has nothing here. */
function requireStake({ wallet, loan, stakes }: ClaimContext, scene: BuildContext): void {
  if (loan === undefined || existingAccount(loan.obligation, scene) !== undefined) return;
  if (stakes.some((stake) => readStake(stake, scene) !== undefined)) return;
  throw new CodedError('KLEND_OBLIGATION_NOT_FOUND', { wallet, market: loan.market });
}

/** An account is created before the first reward that goes there, and only where it is missing. */
function stepsOf(claims: readonly RewardClaim[], scene: BuildContext): BuildStep[] {
  const created = new Set<Address>();
  const steps = claims.flatMap((claim) => {
    const { stake, index, token } = claim;
    const isMissing = readWalletToken(token, scene) === undefined && !created.has(token.mint);
    created.add(token.mint);
    const why = `Claim ${token.symbol} for ${stake.label}.`;
    return [
      ...(isMissing ? [createTokenAccountStep(token, scene)] : []),
      harvestStep(stake, index, why),
    ];
  });
  return [...steps, ...unwrapping(claims, scene).after];
}

/** SOL arrives as SOL. */
function unwrapping(
  claims: readonly RewardClaim[],
  scene: BuildContext,
): Pick<WalletSteps, 'after' | 'notes'> {
  const [wrapped] = claims.filter(({ token }) => isWrappedSol(token));
  if (wrapped === undefined) return { after: [], notes: [] };
  const { mint } = wrapped.token;
  return receiveTokenSteps(wrapped.token, claimed(claims).get(mint)?.amount ?? 0n, scene);
}

/** By mint, after the treasury's part. Rewards grow until the transaction lands. */
function claimed(claims: readonly RewardClaim[]): ReadonlyMap<Address, TokenMove> {
  const moves = new Map<Address, TokenMove>();
  for (const { token, payout } of claims) {
    const { mint, decimals } = token;
    const amount = (moves.get(mint)?.amount ?? 0n) + payout.user;
    moves.set(mint, { mint, decimals, amount, certainty: 'at least' });
  }
  return moves;
}

function toldOf(
  { source }: ClaimContext,
  { claims, notes }: RewardClaims,
  scene: BuildContext,
): PlanDescription {
  const receives = [...claimed(claims).values()];
  const symbols = new Map(claims.map(({ token }) => [token.mint, token.symbol]));
  const amounts = receives.map(
    ({ mint, decimals, amount }) => `${formatUnits(amount, decimals)} ${symbols.get(mint)}`,
  );
  return {
    summary: `Claim ${amounts.join(' and ')} for ${source}.`,
    pays: [],
    receives,
    notes: [...notes, ...unwrapping(claims, scene).notes],
  };
}

const tablesOf = ({ wallet, vault }: ClaimContext, scene: BuildContext): LookupTable[] =>
  vault === undefined ? lendingLookupTables(wallet, scene) : vaultLookupTables(vault, scene.state);
