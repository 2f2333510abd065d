import type { VaultData } from '../chain/chain-data.ts';
import type { Call } from '../instructions/decode-calls.ts';
import type { VaultWithdrawRequest } from '../verifiable-request.ts';
import { isEverything, parseUnits } from './amounts.ts';
import { worthOfVault } from './deposited-shares.ts';
import { readRedemptions } from './redemptions.ts';
import type { VaultContext } from './vault-context.ts';

const BPS = 10_000n;
/** What the vault may have gained since the chain data, as for the cTokens of a withdrawal from a reserve. */
const MAX_GAIN = { numerator: 1_002n, denominator: 1_000n };

/**
 * What a withdrawal must redeem at least: for `unit: 'tokens'` shares that are worth the tokens, after the vault's
 * penalties, and `minShares`.
 */
export function checkLeastRedemption(
  calls: readonly Call[],
  context: VaultContext,
  request: VaultWithdrawRequest,
): void {
  const redemptions = redeemedShares(calls, context);
  if (request.minShares !== undefined) checkFewest(redemptions, context, request.minShares);
  if (request.unit !== 'tokens') return;
  const { findings, vaultData, reserves } = context;
  if (isEverything(request.amount)) {
    findings.add('INVALID_REQUEST', 'Everything is a number of shares, not of tokens.');
    return;
  }
  const worth = vaultData && worthOfVault(vaultData, reserves);
  if (vaultData === undefined || worth === undefined || redemptions === undefined) {
    const message =
      'The program counts shares: give the chain data of the vault, its reserves and your shares.';
    findings.add('MISSING_CHAIN_DATA', message);
    return;
  }
  const tokens = parseUnits(request.amount, vaultData.tokenDecimals);
  if (tokens === undefined || tokens === 0n) {
    findings.add('INVALID_REQUEST', 'The amount is not valid.');
    return;
  }
  const paid = redemptions.reduce(
    (sum, shares) => sum + paidFor(shares, { vault: vaultData, worth }),
    0n,
  );
  if (paid >= tokens) return;
  const message = `The redeemed shares are worth about ${paid} smallest units of tokens; at least ${tokens} were requested.`;
  findings.add('WRONG_AMOUNT', message);
}

const redeemedShares = (
  calls: readonly Call[],
  context: VaultContext,
): readonly bigint[] | undefined =>
  readRedemptions(calls, context)?.redemptions.map(({ redeemed }) => redeemed);

/** The fewest shares that a transaction of an exit must redeem. */
export function checkFewestShares(
  calls: readonly Call[],
  context: VaultContext,
  minShares: string,
): void {
  checkFewest(redeemedShares(calls, context), context, minShares);
}

function checkFewest(
  redemptions: readonly bigint[] | undefined,
  { findings, decimals }: VaultContext,
  minShares: string,
): void {
  const fewest = decimals === undefined ? undefined : parseUnits(minShares, decimals);
  if (fewest === undefined || redemptions === undefined) {
    findings.add('MISSING_CHAIN_DATA', 'minShares needs the chain data of the vault and shares.');
    return;
  }
  const sum = redemptions.reduce((total, shares) => total + shares, 0n);
  if (sum >= fewest) return;
  const message = `${sum} smallest units of shares are redeemed; at least ${fewest} were requested.`;
  findings.add('WRONG_AMOUNT', message);
}

/** The vault may have gained since the chain data, so the same tokens cost fewer shares. */
function paidFor(
  shares: bigint,
  { vault, worth }: { readonly vault: VaultData; readonly worth: bigint },
): bigint {
  const issued = BigInt(vault.sharesIssued);
  if (issued === 0n) return 0n;
  const held = (worth * MAX_GAIN.numerator) / MAX_GAIN.denominator + 1n;
  // the program rounds the price of a share up, a payout down
  const gross = (shares * held) / issued + 1n;
  const byRate = (gross * BigInt(vault.withdrawalPenaltyBps)) / BPS;
  const fixed = BigInt(vault.withdrawalPenaltyUnits);
  const penalty = byRate > fixed ? byRate : fixed;
  return gross > penalty ? gross - penalty : 0n;
}
