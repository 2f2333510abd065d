import type { Address } from '#core/base/encoding/address.ts';
import { lendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import { reserve as layout, type Reserve } from '#core/protocol/klend/layout/reserve.ts';
import { oraclePrices } from '#core/protocol/scope/layout/oracle-prices.ts';
import { referenceAccrual, referenceCurve } from '../reference/reference-accrual.ts';
import {
  type Decimal50,
  multiply,
  power,
  type ReferenceReserve,
  toDecimal50,
} from '../reference/reference-lending.ts';
import type { AccountLedger, LedgerTime } from './account-ledger.ts';

/** The program's fractions: scaled by 2^60. */
const ONE = 2n ** 60n;
const WIDE_ONE = toDecimal50(1n);
const SLOTS_PER_YEAR = 63_072_000n;
/** The simulation has 150 slots per minute, but a reserve that charges per slot assumes 120. */
const SLOT_ADJUSTMENT = toDecimal50(500n, 400n);

const bps = (value: number): bigint => (BigInt(value) * ONE) / 10_000n;

export type LedgerReserve = ReferenceReserve & {
  readonly address: Address;
  readonly fields: Reserve;
  /** In lamports. */
  readonly available: Decimal50;
  readonly protocolFees: Decimal50;
  readonly used: Decimal50;
  readonly supplyApr: Decimal50;
  readonly mint: Address;
};

/** A reserve at a time, accrued to it. */
function reserveThen(ledger: AccountLedger, address: Address, at: LedgerTime): LedgerReserve {
  const fields = ledger.get(layout, address, at);
  const { liquidity, config, collateral } = fields;
  const market = ledger.get(lendingMarket, fields.lendingMarket, at);
  const accrued = referenceAccrual(fields, at, market);
  const { available, debt, protocolFees, cumulative, supply } = accrued;
  const used = supply === 0n ? 0n : (debt * ONE) / supply;
  const rate = referenceCurve(config, used);
  const host = bps(config.hostFixedInterestRateBps);
  const take = toDecimal50(BigInt(config.protocolTakeRatePct), 100n);
  const wide = (value: bigint): Decimal50 => toDecimal50(value, ONE);
  const adjustment = config.interestRateBasis === 0 ? SLOT_ADJUSTMENT : WIDE_ONE;
  const supplyApr = multiply(
    multiply(multiply(wide(used), wide(rate)), adjustment),
    WIDE_ONE - take,
  );
  const { mintTotalSupply } = collateral;
  return {
    address,
    fields,
    config,
    mint: liquidity.mintPubkey,
    supply: wide(supply),
    debt: wide(debt),
    available: toDecimal50(available),
    protocolFees: wide(protocolFees),
    used: wide(used),
    supplyApr,
    supplyApy: apyFromApr(supplyApr),
    borrowApy: apyFromApr(multiply(wide(rate + host), adjustment)),
    price: priceOf(ledger, fields, at),
    perCToken: mintTotalSupply === 0n || supply === 0n ? WIDE_ONE : wide(supply) / mintTotalSupply,
    cumulative: wide(cumulative),
    lamportsPerToken: 10n ** liquidity.mintDecimals,
  };
}

export const apyFromApr = (apr: Decimal50): Decimal50 =>
  power(WIDE_ONE + apr / SLOTS_PER_YEAR, SLOTS_PER_YEAR) - WIDE_ONE;

/** MATH 13: the product of the price chain. */
function priceOf(ledger: AccountLedger, { config }: Reserve, at: LedgerTime): Decimal50 {
  const { priceFeed, priceChain } = config.tokenInfo.scopeConfiguration;
  const { prices } = ledger.get(oraclePrices, priceFeed, at);
  let product = WIDE_ONE;
  for (const index of priceChain) {
    if (index >= prices.length) break;
    const entry = prices[index];
    if (entry !== undefined)
      product = multiply(product, toDecimal50(entry.price.value, 10n ** entry.price.exp));
  }
  return product;
}

/** All reserves at a time by address, cached. */
export class LedgerReserves {
  readonly #ledger: AccountLedger;
  readonly #cache = new Map<bigint, ReadonlyMap<Address, LedgerReserve>>();

  constructor(ledger: AccountLedger) {
    this.#ledger = ledger;
  }

  at(time: LedgerTime): ReadonlyMap<Address, LedgerReserve> {
    const known = this.#cache.get(time.slot);
    if (known !== undefined) return known;
    const reserves = new Map(
      this.#ledger
        .all(layout, time)
        .map(({ address }) => [address, reserveThen(this.#ledger, address, time)]),
    );
    this.#cache.set(time.slot, reserves);
    return reserves;
  }

  /** USD per whole token. */
  price(mint: string, time: LedgerTime): Decimal50 {
    for (const reserve of this.at(time).values()) {
      if (reserve.mint === mint && reserve.price > 0n) return reserve.price;
    }
    return 0n;
  }

  solPrice(time: LedgerTime): Decimal50 {
    return this.price('So11111111111111111111111111111111111111112', time);
  }
}
