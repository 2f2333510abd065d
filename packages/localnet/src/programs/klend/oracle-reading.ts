import { type Address, toAddress, ZERO_ADDRESS } from '@tidegate/core/base';
import {
  klendRejection,
  newestCandidate,
  type OracleResult,
  readPythPrice,
  readSwitchboardPrice,
  ZERO_READING,
} from '@tidegate/core/protocol/klend';
import type { Reserve } from '@tidegate/core/protocol/klend/layout';
import type { OracleReading } from '@tidegate/core/protocol/klend/operations';
import { oraclePrices } from '@tidegate/core/protocol/scope/layout';
import { readScopePrices } from '@tidegate/core/views/lending';
import type { LendingCall } from './lending-constraints.ts';

/** In instruction order; undefined if not given. */
export type OracleAccounts = {
  readonly pythOracle: Address | undefined;
  readonly switchboardPriceOracle: Address | undefined;
  readonly switchboardTwapOracle: Address | undefined;
  readonly scopePrices: Address | undefined;
};

type TokenInfo = Reserve['config']['tokenInfo'];

/**
 * The newest price of the reserve's oracles; none if all of them report zero. Fails as a panic for a price that overflows
 * the program's numbers.
 */
export function readOracle(
  lending: LendingCall,
  tokenInfo: TokenInfo,
  oracles: OracleAccounts,
): OracleReading {
  requireOracles(tokenInfo, oracles);
  const results = [
    readPyth(lending, tokenInfo, oracles),
    readSwitchboard(lending, tokenInfo, oracles),
    readScope(lending, tokenInfo, oracles),
  ];
  if (results.every((result) => result === undefined)) {
    throw klendRejection('PriceNotValid', 'No price feed available');
  }
  const newest = newestCandidate(results);
  if (newest !== undefined) return newest;
  lending.call.log('All price feeds are zeroed');
  return { price: undefined, twap: undefined };
}

function readPyth(
  { call, rules }: LendingCall,
  { maxTwapDivergenceBps }: TokenInfo,
  { pythOracle }: OracleAccounts,
): OracleResult {
  if (pythOracle === undefined) return undefined;
  const isTwapCompared = maxTwapDivergenceBps > 0n;
  return readPythPrice(call.account(pythOracle).data, { isTwapCompared, rules });
}

function readSwitchboard(
  { call, rules }: LendingCall,
  { maxTwapDivergenceBps }: TokenInfo,
  { switchboardPriceOracle: price, switchboardTwapOracle: twap }: OracleAccounts,
): OracleResult {
  if (price === undefined) return undefined;
  const hasTwap = maxTwapDivergenceBps > 0n && twap !== undefined;
  const feeds = {
    price: call.account(price).data,
    twap: hasTwap ? call.account(twap).data : undefined,
  };
  return readSwitchboardPrice(feeds, { at: call.time, rules });
}

function readScope(
  { call, rules }: LendingCall,
  tokenInfo: TokenInfo,
  { scopePrices }: OracleAccounts,
): OracleResult {
  const account = scopePrices === undefined ? undefined : call.account(scopePrices);
  if (account === undefined || !oraclePrices.matches(account)) return undefined;
  const { prices } = oraclePrices.view(account);
  if (isEmpty(tokenInfo.scopeConfiguration.priceChain, prices.length)) return undefined;
  const { price, twap } = readScopePrices(tokenInfo, prices, rules);
  return price === undefined ? ZERO_READING : { unix: price.unix, price, twap };
}

/** A chain with no valid entry, or with zeros only, is empty. */
const isEmpty = (chain: readonly number[], count: number): boolean =>
  chain.every((index) => index === 0) || (chain[0] ?? count) >= count;

/** The accounts must be exactly the reserve's configured oracles. */
function requireOracles(tokenInfo: TokenInfo, oracles: OracleAccounts): void {
  const { scopeConfiguration, switchboardConfiguration, pythConfiguration } = tokenInfo;
  const scope = configuredOracle(scopeConfiguration.priceFeed);
  const switchboard = configuredOracle(switchboardConfiguration.priceAggregator);
  const pyth = configuredOracle(pythConfiguration.price);
  const isChainSet = scope === undefined || isChain(scopeConfiguration.priceChain);
  if (!isChainSet || [scope, switchboard, pyth].every((oracle) => oracle === undefined)) {
    throw klendRejection('InvalidOracleConfig', 'the reserve has no oracle');
  }
  const hasTwap = tokenInfo.maxTwapDivergenceBps > 0n;
  if (hasTwap && !hasTwapConfig(tokenInfo)) {
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

function hasTwapConfig({
  maxAgeTwapSeconds,
  scopeConfiguration,
  switchboardConfiguration,
}: TokenInfo): boolean {
  const { priceFeed, twapChain } = scopeConfiguration;
  const { priceAggregator, twapAggregator } = switchboardConfiguration;
  return (
    maxAgeTwapSeconds > 0n &&
    (configuredOracle(priceFeed) === undefined || isChain(twapChain)) &&
    (configuredOracle(priceAggregator) === undefined ||
      configuredOracle(twapAggregator) !== undefined)
  );
}

const isChain = (chain: readonly number[]): boolean =>
  !chain.every((index) => index === 0xffff) && !chain.every((index) => index === 0);

const NO_ORACLE = toAddress('nu11111111111111111111111111111111111111111');

const configuredOracle = (address: Address): Address | undefined =>
  address === ZERO_ADDRESS || address === NO_ORACLE ? undefined : address;
