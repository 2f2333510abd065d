import type { ReserveData, VaultData } from '../chain/chain-data.ts';
import type { Call } from '../instructions/decode-calls.ts';
import type { VaultContext } from './vault-context.ts';

const FRACTION_BITS = 60n;
const U64_MAX = 2n ** 64n - 1n;

export type DepositTerms = {
  readonly amount: bigint;
  /** Whether the vault may take a part of the amount only. */
  readonly mayBePartial: boolean;
};

/**
 * A vault cuts a deposit to the room below its cap, without an error. Its minimum of shares must therefore be about what
 * the amount buys, or the part of it that the vault has room for. Needs the chain data of the vault and its reserves.
 */
export function checkMinimumShares(call: Call, terms: DepositTerms, context: VaultContext): void {
  const { findings, vaultData, reserves } = context;
  if (vaultData === undefined) return;
  const minimum = call.args['minSharesOut'];
  if (minimum === undefined && vaultData.depositCap === '0') return;
  const expected = fewestShares(vaultData, reserves, terms);
  if (expected === undefined || (minimum ?? 0n) >= expected) return;
  const accepted = `The deposit accepts ${minimum ?? 0n} smallest units of shares instead of at least ${expected}.`;
  const partial = ' If the vault may take a part only, state it: mayBePartial.';
  findings.add('WRONG_AMOUNT', terms.mayBePartial ? accepted : accepted + partial, call);
}

/** The vault may have gained this much since the chain data: interest until its reserves are refreshed. */
const MAX_GAIN = { numerator: 101n, denominator: 100n };
/** What a server may subtract for gains that it does not foresee. */
const MIN_PART = { numerator: 999n, denominator: 1_000n };

type HeldVault = Pick<
  VaultData,
  'sharesIssued' | 'tokenAvailable' | 'pendingFeesSf' | 'depositCap' | 'crankFee' | 'allocations'
>;

/** The shares that a deposit must issue at least. Undefined if the data of a reserve is missing. */
export function fewestShares(
  vault: HeldVault,
  reserves: Readonly<Record<string, ReserveData>>,
  { amount, mayBePartial }: DepositTerms,
): bigint | undefined {
  const worth = worthOfVault(vault, reserves);
  if (worth === undefined) return undefined;
  // each reserve may round its interest up to a whole unit
  const rounding = BigInt(vault.allocations.length) + 1n;
  const held = (worth * MAX_GAIN.numerator) / MAX_GAIN.denominator + rounding;
  const offered = amount - BigInt(vault.crankFee);
  const room = roomBelowCap(vault, held);
  const used = mayBePartial && room < offered ? room : offered;
  const issued = BigInt(vault.sharesIssued);
  // the program rejects deposits into a vault with shares and without assets
  if (used <= 0n || (issued > 0n && worth === 0n)) return 0n;
  const shares = issued === 0n ? used : (issued * used) / held;
  return (shares * MIN_PART.numerator) / MIN_PART.denominator;
}

function roomBelowCap({ depositCap }: HeldVault, held: bigint): bigint {
  const cap = depositCap === '0' ? U64_MAX : BigInt(depositCap);
  return cap > held ? cap - held : 0n;
}

/** In smallest units of the token, rounded up. */
export function worthOfVault(
  { tokenAvailable, pendingFeesSf, allocations }: HeldVault,
  reserves: Readonly<Record<string, ReserveData>>,
): bigint | undefined {
  let sum = (BigInt(tokenAvailable) << FRACTION_BITS) - BigInt(pendingFeesSf);
  for (const { reserve, ctokens } of allocations) {
    const data = reserves[reserve];
    if (data === undefined) return undefined;
    sum += worthOfCtokens(BigInt(ctokens), data);
  }
  return sum <= 0n ? 0n : ((sum - 1n) >> FRACTION_BITS) + 1n;
}

/** In smallest units times 2^60. One to one in an empty reserve. */
export function worthOfCtokens(
  ctokens: bigint,
  { collateralSupply, liquiditySupplySf }: ReserveData,
): bigint {
  const [supply, liquidity] = [BigInt(collateralSupply), BigInt(liquiditySupplySf)];
  const isEmpty = supply === 0n || liquidity === 0n;
  return isEmpty ? ctokens << FRACTION_BITS : (ctokens * liquidity) / supply;
}
