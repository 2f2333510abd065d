import { type Address, hasCode, toAddress, ZERO_ADDRESS } from '@tidegate/core/base';
import { klendRejection } from '@tidegate/core/protocol/klend';
import type { Reserve } from '@tidegate/core/protocol/klend/layout';
import type { OraclePrice } from '@tidegate/core/protocol/klend/math';
import type { OracleReading } from '@tidegate/core/protocol/klend/operations';
import { type OraclePricesView, oraclePrices } from '@tidegate/core/protocol/scope/layout';
import { chainPrice } from '@tidegate/core/protocol/scope/math';
import type { InvokeContext } from '../../runtime/program.ts';

/** In the order of the instruction; undefined where none is given. */
export type OracleAccounts = {
  readonly pythOracle: Address | undefined;
  readonly switchboardPriceOracle: Address | undefined;
  readonly switchboardTwapOracle: Address | undefined;
  readonly scopePrices: Address | undefined;
};

type TokenInfo = Reserve['config']['tokenInfo'];

/** The price that the reserve's oracles give. Only Scope runs on our clusters; others have no price to give. */
export function readOracle(
  call: InvokeContext,
  tokenInfo: TokenInfo,
  oracles: OracleAccounts,
): OracleReading {
  requireOracles(tokenInfo, oracles);
  const { scopePrices } = oracles;
  const account = scopePrices === undefined ? undefined : call.account(scopePrices);
  if (account === undefined || !oraclePrices.matches(account)) throw noPrice();
  const { priceChain, twapChain } = tokenInfo.scopeConfiguration;
  const { prices } = oraclePrices.view(account);
  if (isEmpty(priceChain, prices.length)) throw noPrice();
  return { price: priceOf(prices, priceChain), twap: priceOf(prices, twapChain) };
}

const noPrice = () => klendRejection('PriceNotValid', 'No price feed available');

/** A chain that has no end within the feed, or none but zeros, gives nothing. */
const isEmpty = (chain: readonly number[], count: number): boolean =>
  chain.every((index) => index === 0) || (chain[0] ?? count) >= count;

/** A product beyond the program's numbers is no price either. */
function priceOf(
  prices: OraclePricesView['prices'],
  chain: readonly number[],
): OraclePrice | undefined {
  try {
    return chainPrice(prices, chain);
  } catch (error) {
    if (hasCode(error, 'MATH_OVERFLOW')) return undefined;
    throw error;
  }
}

/** The accounts must be those that the reserve is set to, and no other may be given. */
function requireOracles(tokenInfo: TokenInfo, oracles: OracleAccounts): void {
  const { scopeConfiguration, switchboardConfiguration, pythConfiguration } = tokenInfo;
  const scope = enabled(scopeConfiguration.priceFeed);
  const switchboard = enabled(switchboardConfiguration.priceAggregator);
  const pyth = enabled(pythConfiguration.price);
  const chains = scope === undefined || isChain(scopeConfiguration.priceChain);
  if (!chains || [scope, switchboard, pyth].every((each) => each === undefined)) {
    throw klendRejection('InvalidOracleConfig', 'the reserve has no oracle');
  }
  const hasTwap = tokenInfo.maxTwapDivergenceBps > 0n;
  if (hasTwap && !twapIsSet(tokenInfo)) {
    throw klendRejection('InvalidTwapConfig', 'the reserve asks for a mean price and has none');
  }
  if (oracles.pythOracle !== pyth) {
    throw klendRejection('InvalidPythPriceAccount', 'the reserve is set to another');
  }
  const twap = switchboard === undefined ? undefined : switchboardConfiguration.twapAggregator;
  const isTwapChecked = switchboard === undefined || hasTwap;
  const isOtherTwap = isTwapChecked && oracles.switchboardTwapOracle !== twap;
  if (oracles.switchboardPriceOracle !== switchboard || isOtherTwap) {
    throw klendRejection('InvalidSwitchboardAccount', 'the reserve is set to another');
  }
  if (oracles.scopePrices !== scope) {
    throw klendRejection('InvalidScopePriceAccount', 'the reserve is set to another');
  }
}

function twapIsSet({
  maxAgeTwapSeconds,
  scopeConfiguration,
  switchboardConfiguration,
}: TokenInfo): boolean {
  const { priceFeed, twapChain } = scopeConfiguration;
  const { priceAggregator, twapAggregator } = switchboardConfiguration;
  return (
    maxAgeTwapSeconds > 0n &&
    (enabled(priceFeed) === undefined || isChain(twapChain)) &&
    (enabled(priceAggregator) === undefined || enabled(twapAggregator) !== undefined)
  );
}

const isChain = (chain: readonly number[]): boolean =>
  !chain.every((index) => index === 0xffff) && !chain.every((index) => index === 0);

const NO_ORACLE = toAddress('nu11111111111111111111111111111111111111111');

const enabled = (address: Address): Address | undefined =>
  address === ZERO_ADDRESS || address === NO_ORACLE ? undefined : address;
