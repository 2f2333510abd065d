import { quoteName, untrustedName, untrustedSymbol } from '@tidegate/core/base';
import { percent, short, shortRatio, sum } from '../../answer/figures.ts';
import type { ApiReading } from '../../api/api-reading.ts';
import { findReserve, listMarketRows, listReserveRows } from '../../api/catalogue.ts';
import { type Inspection, notFound } from './inspection.ts';

export async function inspectMarket(address: string, reading: ApiReading): Promise<Inspection> {
  const markets = await listMarketRows(reading);
  const market = markets.find(({ lendingMarket }) => lendingMarket === address);
  if (market === undefined) throw notFound('listed lending market', address);
  const reserves = await listReserveRows(reading, address);
  const supplied = shortRatio(sum(reserves.map(({ totalSupplyUsd }) => totalSupplyUsd)));
  const borrowed = shortRatio(sum(reserves.map(({ totalBorrowUsd }) => totalBorrowUsd)));
  return {
    lines: [
      `Market ${quoteName(market.name)} at ${address}: ${reserves.length} reserves, ${supplied} USD supplied, ${borrowed} USD borrowed.`,
      ...reserves.map(
        (each) =>
          `${untrustedSymbol(each.liquidityToken)} (reserve ${each.reserve}): lending pays ${percent(each.supplyApy)}, borrowing costs ${percent(each.borrowApy)} a year.`,
      ),
    ],
    data: {
      market: address,
      untrustedName: untrustedName(market.name),
      isPrimary: market.isPrimary,
      isCurated: market.isCurated,
      suppliedUsd: supplied,
      borrowedUsd: borrowed,
      reserves: reserves.map((each) => ({
        reserve: each.reserve,
        untrustedSymbol: untrustedName(each.liquidityToken),
        supplyApy: short(each.supplyApy),
        borrowApy: short(each.borrowApy),
        maxLtv: short(each.maxLtv),
        totalSupplyUsd: short(each.totalSupplyUsd),
      })),
    },
  };
}

export async function inspectReserve(address: string, reading: ApiReading): Promise<Inspection> {
  const found = await findReserve(reading, address);
  if (found === undefined) throw notFound('reserve of a listed market', address);
  const { market, reserve } = found;
  const symbol = untrustedSymbol(reserve.liquidityToken);
  return {
    lines: [
      `Reserve ${symbol} at ${address} in market ${quoteName(market.name)} (${market.lendingMarket}).`,
      `Supplied ${short(reserve.totalSupply)} ${symbol} (${short(reserve.totalSupplyUsd)} USD), of which ${short(reserve.totalBorrow)} are borrowed.`,
      `Lending pays ${percent(reserve.supplyApy)} a year, borrowing costs ${percent(reserve.borrowApy)}, without rewards. A deposit allows a loan of up to ${percent(reserve.maxLtv)} of its value.`,
    ],
    data: {
      reserve: address,
      market: market.lendingMarket,
      untrustedMarketName: untrustedName(market.name),
      untrustedSymbol: symbol,
      tokenMint: reserve.liquidityTokenMint,
      supplyApy: short(reserve.supplyApy),
      borrowApy: short(reserve.borrowApy),
      maxLtv: short(reserve.maxLtv),
      totalSupplyTokens: short(reserve.totalSupply),
      totalBorrowTokens: short(reserve.totalBorrow),
      totalSupplyUsd: short(reserve.totalSupplyUsd),
      totalBorrowUsd: short(reserve.totalBorrowUsd),
    },
    next: ['Call explain with topic apy or limits and this address for the formula and the caps.'],
  };
}
