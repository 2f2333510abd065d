import type { Address } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import { formatUnits } from '../../base/numbers/decimal.ts';
import { assemble } from '../assemble-build.ts';
import type { Builder, LookupTable, Scene } from '../build.ts';
import { heldStake, stakeAddress } from '../farms/stake-context.ts';
import { harvestStep } from '../farms/stake-steps.ts';
import { lendingTables } from '../lending/lending-lookup-tables.ts';
import { walletFacts } from '../lending/lending-position.ts';
import type { Step, TokenMove, Told } from '../plan.ts';
import { vaultTables } from '../vaults/vault-action-context.ts';
import { createTokenStep, heldToken, isWrappedSol, tokenNeeds } from '../wallet/token-accounts.ts';
import { createdAccount, requireRead, unread } from '../wallet/wallet-accounts.ts';
import { receiveSide, type WalletSide } from '../wallet/wallet-steps.ts';
import { type ClaimPlace, claimPlace, rewardTokens } from './claim-context.ts';
import type { ClaimRequest } from './claim-request.ts';
import { type Claim, type Claims, rewardClaims } from './reward-claims.ts';

/** Every reward that can be claimed, each into the wallet's account for its token. */
export const claimRewards: Builder<ClaimRequest> = {
  needs: (request, scene) => unread(accountsOf(claimPlace(request, scene.state), scene), scene),
  build(request, scene) {
    const { place, claims, notes } = planClaims(request, scene);
    return assemble(
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

export function planClaims(
  request: ClaimRequest,
  scene: Scene,
): Claims & { readonly place: ClaimPlace } {
  const place = claimPlace(request, scene.state);
  requireRead(accountsOf(place, scene), scene);
  requireStake(place, scene);
  const { claims, notes } = rewardClaims(place, scene);
  if (claims.length > 0) return { place, claims, notes };
  const reason = [`There is nothing to claim for ${place.source} now.`, ...notes].join(' ');
  throw new CodedError('NOTHING_TO_BUILD', { reason });
}

function accountsOf(place: ClaimPlace, scene: Scene): readonly Address[] {
  const { wallet, loan, stakes } = place;
  const table = loan && walletFacts(scene, wallet)?.lookupTable;
  return [
    wallet,
    ...(loan === undefined ? [] : [loan.obligation, loan.userMetadata]),
    ...(table === undefined ? [] : [table]),
    ...stakes.map(stakeAddress),
    ...stakes.flatMap((stake) => rewardTokens(place, stake)).flatMap(tokenNeeds),
  ];
}

/** Rewards outlive the loan that earned them, so that only a wallet without both has nothing here. */
function requireStake({ wallet, loan, stakes }: ClaimPlace, scene: Scene): void {
  if (loan === undefined || createdAccount(loan.obligation, scene) !== undefined) return;
  if (stakes.some((stake) => heldStake(stake, scene) !== undefined)) return;
  throw new CodedError('KLEND_OBLIGATION_NOT_FOUND', { wallet, market: loan.market });
}

/** An account is created before the first reward that goes there, and only where it is missing. */
function stepsOf(claims: readonly Claim[], scene: Scene): Step[] {
  const created = new Set<Address>();
  const steps = claims.flatMap((claim) => {
    const { stake, index, token } = claim;
    const isMissing = heldToken(token, scene) === undefined && !created.has(token.mint);
    created.add(token.mint);
    const why = `Claim ${token.symbol} for ${stake.label}.`;
    return [...(isMissing ? [createTokenStep(token, scene)] : []), harvestStep(stake, index, why)];
  });
  return [...steps, ...unwrapping(claims, scene).after];
}

/** SOL arrives as SOL. */
function unwrapping(claims: readonly Claim[], scene: Scene): Pick<WalletSide, 'after' | 'notes'> {
  const [wrapped] = claims.filter(({ token }) => isWrappedSol(token));
  if (wrapped === undefined) return { after: [], notes: [] };
  const { mint } = wrapped.token;
  return receiveSide(wrapped.token, claimed(claims).get(mint)?.amount ?? 0n, scene);
}

/** By mint, after the treasury's part. Rewards grow until the transaction lands. */
function claimed(claims: readonly Claim[]): ReadonlyMap<Address, TokenMove> {
  const moves = new Map<Address, TokenMove>();
  for (const { token, payout } of claims) {
    const { mint, decimals } = token;
    const amount = (moves.get(mint)?.amount ?? 0n) + payout.user;
    moves.set(mint, { mint, decimals, amount, certainty: 'at least' });
  }
  return moves;
}

function toldOf({ source }: ClaimPlace, { claims, notes }: Claims, scene: Scene): Told {
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

const tablesOf = ({ wallet, vault }: ClaimPlace, scene: Scene): LookupTable[] =>
  vault === undefined ? lendingTables(wallet, scene) : vaultTables(vault, scene.state);
