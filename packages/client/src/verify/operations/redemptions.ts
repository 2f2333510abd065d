import type { Call } from '../instructions/decode-calls.ts';
import { U64_MAX } from './amounts.ts';
import { worthOfCtokens, worthOfVault } from './deposited-shares.ts';
import type { Findings } from './findings.ts';
import type { VaultContext } from './vault-context.ts';

/** An instruction that redeems shares. */
type Redemption = {
  readonly call: Call;
  readonly requested: bigint;
  /** The program redeems fewer, without an error, if the vault has too little in the reserve of the instruction. */
  readonly redeemed: bigint;
};

type Redemptions = {
  readonly redemptions: readonly Redemption[];
  /** Shares that are left of those of the wallet; undefined if their number is not known. */
  readonly left: bigint | undefined;
};

/**
 * What the redemptions of a transaction redeem, in their order. Undefined if one is for all shares, and their number is
 * not known. Without the chain data of the vault and its reserves everything counts as redeemed.
 */
export function readRedemptions(
  calls: readonly Call[],
  context: VaultContext,
): Redemptions | undefined {
  const own = calls.filter(({ spec }) => spec.program === 'kvault');
  const pool = new VaultPool(context);
  let left = heldShares(calls, context);
  const redemptions: Redemption[] = [];
  for (const call of own) {
    const stated = call.args['sharesAmount'] ?? 0n;
    if (stated === U64_MAX && left === undefined) return undefined;
    const requested = left !== undefined && left < stated ? left : stated;
    const redeemed = pool.redeem(requested, call.accounts['reserve']);
    redemptions.push({ call, requested, redeemed });
    if (left !== undefined) left -= redeemed;
  }
  return { redemptions, left };
}

/** Shares of the wallet that a transaction can redeem: those in the wallet, and those that it takes out of the farm. */
function heldShares(
  calls: readonly Call[],
  { shareData, farms, farm = '' }: VaultContext,
): bigint | undefined {
  if (shareData === undefined) return undefined;
  const pool = farms[farm];
  const unstaked = calls.some(({ spec }) => spec.program === 'farms');
  const staked = BigInt(shareData.stakedScaled) + BigInt(shareData.unstakedScaled);
  const fromFarm =
    unstaked && pool !== undefined && BigInt(pool.totalStakeScaled) > 0n
      ? (staked * BigInt(pool.totalStaked)) / BigInt(pool.totalStakeScaled)
      : 0n;
  return BigInt(shareData.inWallet) + fromFarm;
}

const FRACTION_BITS = 60n;

/** What the vault can pay: available tokens first, then those in the reserve of the instruction. */
class VaultPool {
  readonly #worth: bigint | undefined;
  readonly #shares: bigint;
  readonly #inReserves: Map<string, bigint>;
  #available: bigint;

  constructor({ vaultData, reserves }: VaultContext) {
    this.#worth = vaultData && worthOfVault(vaultData, reserves);
    this.#shares = BigInt(vaultData?.sharesIssued ?? 0);
    this.#available = BigInt(vaultData?.tokenAvailable ?? 0);
    this.#inReserves = new Map(
      vaultData?.allocations.flatMap(({ reserve, ctokens }) => {
        const data = reserves[reserve];
        const worth = data && worthOfCtokens(BigInt(ctokens), data) >> FRACTION_BITS;
        return worth === undefined ? [] : [[reserve, worth] as const];
      }),
    );
  }

  /** The shares that are redeemed of the `shares` that are requested. */
  redeem(shares: bigint, reserve: string | undefined): bigint {
    if (this.#worth === undefined || this.#shares === 0n) return shares;
    const needed = (shares * this.#worth) / this.#shares;
    const available = smaller(this.#available, needed);
    const invested = reserve === undefined ? 0n : (this.#inReserves.get(reserve) ?? 0n);
    const fromReserve = smaller(invested, needed - available);
    this.#available -= available;
    if (reserve !== undefined) this.#inReserves.set(reserve, invested - fromReserve);
    const paid = available + fromReserve;
    return paid === needed ? shares : (shares * paid) / needed;
  }
}

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** Of a thousand shares, those that may be left: the vault and its reserves have changed since the chain data. */
const TOLERANCE = 2n;
const THOUSAND = 1_000n;

const PARTIAL = 'If the vault may pay a part only, state it: mayBePartial.';

/** Shares are redeemed where the vault can pay them. */
export function checkPayable(calls: readonly Call[], context: VaultContext): void {
  const read = readRedemptions(calls, context);
  if (read === undefined) return;
  const { findings, amount } = context;
  const { redemptions, left } = read;
  if (amount === 'all') {
    const sum = redemptions.reduce((total, { redeemed }) => total + redeemed, 0n);
    if (left === undefined || left * THOUSAND <= (sum + left) * TOLERANCE) return;
    const message = `About ${left} smallest units of shares are left, because the vault has too little where the transaction redeems them. ${PARTIAL}`;
    findings.add('WRONG_AMOUNT', message, redemptions.at(-1)?.call);
    return;
  }
  for (const redemption of redemptions) requirePaid(redemption, findings);
}

function requirePaid({ call, requested, redeemed }: Redemption, findings: Findings): void {
  if (requested * (THOUSAND - TOLERANCE) <= (redeemed + 1n) * THOUSAND) return;
  const message = `The vault has enough in the reserve for about ${redeemed} of ${requested} smallest units of shares. ${PARTIAL}`;
  findings.add('WRONG_AMOUNT', message, call);
}
