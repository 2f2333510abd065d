import {
  array,
  bytes,
  padding,
  pubkey,
  struct,
  u8,
  u16,
  u64,
} from '../../../base/encoding/layout.ts';

export const priceHeuristic = struct({
  lower: u64,
  upper: u64,
  exp: u64,
});

/** Indexes of the feed whose product is the price in USD. 65535 ends the chain. */
export const scopeConfiguration = struct({
  priceFeed: pubkey,
  priceChain: array(u16, 4),
  twapChain: array(u16, 4),
});

export const switchboardConfiguration = struct({
  priceAggregator: pubkey,
  twapAggregator: pubkey,
});

export const pythConfiguration = struct({
  price: pubkey,
});

export const tokenInfo = struct({
  name: bytes(32),
  heuristic: priceHeuristic,
  maxTwapDivergenceBps: u64,
  maxAgePriceSeconds: u64,
  maxAgeTwapSeconds: u64,
  scopeConfiguration,
  switchboardConfiguration,
  pythConfiguration,
  blockPriceUsage: u8,
  reserved: padding(7),
  padding: padding(152),
});
