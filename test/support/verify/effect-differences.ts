import { toAddress } from '#core/base/encoding/address.ts';
import { lendingMarketAuthority } from '#core/protocol/klend/pda.ts';
import type { TransactionEffect } from './transaction-effect.ts';
import type { VerifiedBuild } from './verified-build.ts';

/** The most that a priority fee may cost, and the fee of the transaction. */
const MAX_FEE = 1_010_000n;

/** Per thousand: cTokens within their tolerance, shares for tokens up to `maxShares`, and at least `minShares`. */
const TOLERANCE: Readonly<Record<string, bigint>> = {
  'lend-withdraw': 3n,
  // half of what is withdrawn goes into the swap of the test
  'lend-deleverage': 6n,
  'vault-withdraw tokens': 5n,
  'vault-exit partial': 5n,
};

/** Operations whose transaction may leave a whole part of the request to the next one. */
const IN_PARTS = ['farm-claim', 'lend-exit', 'vault-exit'];

const abs = (value: bigint): bigint => (value < 0n ? -value : value);

/** What differs from the effect of the build more than the guide says. */
export function differencesOf(
  build: VerifiedBuild,
  effect: TransactionEffect,
  original: TransactionEffect,
): string[] {
  const { operation } = build.request;
  const [changes, expectedChanges] = [comparable(effect, build), comparable(original, build)];
  const keys = [...new Set([...changes.keys(), ...expectedChanges.keys()])];
  const changedParts = new Set([...changes.keys()].map((key) => partOf(key, build)));
  const isLeftOut = (key: string) =>
    IN_PARTS.includes(operation) && isPart(key) && !changedParts.has(partOf(key, build));
  return keys.flatMap((key) => {
    const [found = 0n, expected = 0n] = [changes.get(key), expectedChanges.get(key)];
    if (isLeftOut(key)) return [];
    const part = (toleranceOf(build) * abs(expected)) / 1_000n;
    const most = isPart(key) ? part : part + MAX_FEE;
    return abs(found - expected) <= most ? [] : [`${key}: ${found} instead of ${expected}`];
  });
}

const REDEMPTIONS = ['vault-withdraw', 'vault-exit'];

/** Which reserve pays a redemption of shares is left open, so the vault and its reserves count as one. */
function comparable(
  { changes }: TransactionEffect,
  { request, chainData }: VerifiedBuild,
): ReadonlyMap<string, bigint> {
  const { vault, reserves = {} } = chainData;
  if (vault === undefined || !REDEMPTIONS.includes(request.operation)) return changes;
  const payers = [
    toAddress(vault.authority),
    ...Object.values(reserves).map(({ market }) => lendingMarketAuthority(toAddress(market))),
  ].map((payer) => `token ${payer} ${vault.tokenMint}`);
  const ctokens = Object.values(reserves).map(
    ({ collateralMint }) => `token ${vault.authority} ${collateralMint}`,
  );
  const merged = new Map<string, bigint>();
  for (const [key, amount] of changes) {
    const name = payers.includes(key) ? `token vault ${vault.tokenMint}` : key;
    if (!ctokens.includes(key)) merged.set(name, (merged.get(name) ?? 0n) + amount);
  }
  return merged;
}

function toleranceOf({ request }: VerifiedBuild): bigint {
  const isPartial = 'mayBePartial' in request && request.mayBePartial === true;
  const unit = 'unit' in request ? request.unit : undefined;
  const kind = unit ?? (isPartial ? 'partial' : undefined);
  return TOLERANCE[kind === undefined ? request.operation : `${request.operation} ${kind}`] ?? 0n;
}

const isPart = (key: string): boolean => !key.startsWith('sol ');

/** What changes together: the tokens of a reserve, its cTokens and the loan there; everything of a vault; each reward. */
function partOf(key: string, { chainData }: VerifiedBuild): string {
  const { reserves = {}, vault } = chainData;
  const [kind = '', , subject = ''] = key.split(' ');
  const reserve = Object.entries(reserves).find(
    ([address, { collateralMint }]) => address === subject || collateralMint === subject,
  );
  const mint = reserve?.[1].mint ?? subject;
  const isOfVault = kind === 'stake' || mint === vault?.tokenMint || mint === vault?.sharesMint;
  return vault !== undefined && isOfVault ? 'vault' : mint;
}
