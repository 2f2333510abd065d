import type { Address } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import { formatShortUnits } from '../../base/numbers/decimal.ts';
import { assembleBuild } from '../assemble-build.ts';
import type { BuildContext, Builder, LookupTable } from '../build.ts';
import type { BuildDescription, BuildStep, TokenMove } from '../build-summary.ts';
import { readStake, stakeAddress } from '../farms/stake-context.ts';
import { harvestStep } from '../farms/stake-steps.ts';
import { lendingLookupTables } from '../lending/lending-lookup-tables.ts';
import { readWalletMetadata } from '../lending/lending-position.ts';
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

/** Claims every claimable reward into the wallet's token accounts. */
export const claimBuilder: Builder<ClaimRequest> = {
  requiredAccounts: (request, context) =>
    unreadAddresses(accountsOf(createClaimContext(request, context), context), context),
  build(request, context) {
    const { target, claims, notes } = planRewardClaims(request, context);
    return assembleBuild(
      {
        wallet: request.wallet,
        steps: stepsOf(claims, context),
        description: describeClaims(target, { claims, notes }, context),
        lookupTables: lookupTablesOf(target, context),
        budget: request,
      },
      context,
    );
  },
};

export function planRewardClaims(
  request: ClaimRequest,
  context: BuildContext,
): RewardClaims & { readonly target: ClaimContext } {
  const target = createClaimContext(request, context);
  requireAccountsRead(accountsOf(target, context), context);
  requireStake(target, context);
  const { claims, notes } = findRewardClaims(target, context);
  if (claims.length > 0) return { target, claims, notes };
  const reason = [`Nothing can be claimed for ${target.source} now.`, ...notes].join(' ');
  throw new CodedError('NOTHING_TO_BUILD', { reason });
}

function accountsOf(target: ClaimContext, context: BuildContext): readonly Address[] {
  const { wallet, loan, stakes } = target;
  const table = loan && readWalletMetadata(context, wallet)?.lookupTable;
  return [
    wallet,
    ...(loan === undefined ? [] : [loan.obligation, loan.userMetadata]),
    ...(table === undefined ? [] : [table]),
    ...stakes.map(stakeAddress),
    ...stakes.flatMap((stake) => rewardTokens(target, stake)).flatMap(requiredTokenAccounts),
  ];
}

/** Rewards outlive the loan, so throws only if the wallet has neither a loan nor a stake. */
function requireStake({ wallet, loan, stakes }: ClaimContext, context: BuildContext): void {
  if (loan === undefined || existingAccount(loan.obligation, context) !== undefined) return;
  if (stakes.some((stake) => readStake(stake, context) !== undefined)) return;
  throw new CodedError('KLEND_OBLIGATION_NOT_FOUND', { wallet, market: loan.market });
}

/** Creates a missing token account before the first reward that it receives. */
function stepsOf(claims: readonly RewardClaim[], context: BuildContext): BuildStep[] {
  const created = new Set<Address>();
  const steps = claims.flatMap((claim) => {
    const { stake, index, token } = claim;
    const isMissing = readWalletToken(token, context) === undefined && !created.has(token.mint);
    created.add(token.mint);
    const why = `Claim ${token.symbol} for ${stake.label}.`;
    return [
      ...(isMissing ? [createTokenAccountStep(token, context)] : []),
      harvestStep(stake, index, why),
    ];
  });
  return [...steps, ...unwrapSteps(claims, context).after];
}

/** Unwraps claimed SOL. */
function unwrapSteps(
  claims: readonly RewardClaim[],
  context: BuildContext,
): Pick<WalletSteps, 'after' | 'notes'> {
  const [wrapped] = claims.filter(({ token }) => isWrappedSol(token));
  if (wrapped === undefined) return { after: [], notes: [] };
  const { mint } = wrapped.token;
  return receiveTokenSteps(wrapped.token, claimedAmounts(claims).get(mint)?.amount ?? 0n, context);
}

/** By mint, after the treasury fee. Rewards grow until the transaction lands. */
function claimedAmounts(claims: readonly RewardClaim[]): ReadonlyMap<Address, TokenMove> {
  const moves = new Map<Address, TokenMove>();
  for (const { token, payout } of claims) {
    const { mint, decimals } = token;
    const amount = (moves.get(mint)?.amount ?? 0n) + payout.user;
    moves.set(mint, { mint, decimals, amount, certainty: 'at least' });
  }
  return moves;
}

function describeClaims(
  { source }: ClaimContext,
  { claims, notes }: RewardClaims,
  context: BuildContext,
): BuildDescription {
  const receives = [...claimedAmounts(claims).values()];
  const symbols = new Map(claims.map(({ token }) => [token.mint, token.symbol]));
  const amounts = receives.map(
    ({ mint, decimals, amount }) => `${formatShortUnits(amount, decimals)} ${symbols.get(mint)}`,
  );
  return {
    summary: `Claim ${amounts.join(' and ')} for ${source}.`,
    pays: [],
    receives,
    notes: [...notes, ...unwrapSteps(claims, context).notes],
  };
}

const lookupTablesOf = ({ wallet, vault }: ClaimContext, context: BuildContext): LookupTable[] =>
  vault === undefined
    ? lendingLookupTables(wallet, context)
    : vaultLookupTables(vault, context.state);
