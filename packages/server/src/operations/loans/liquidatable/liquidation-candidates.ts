import { setImmediate } from 'node:timers/promises';
import type { Address } from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import {
  hasDrifted,
  type LoanRisk,
  type MarketSnapshot,
  type RiskScale,
  readLoanRisk,
  riskOf,
  viewRiskScale,
} from '@tidegate/core/views/lending';
import type { MarketCache } from '../../../support/pricing/market-cache.ts';

/** Loans with at least this risk are followed. */
const FOLLOWED_RISK = 0.8;

/**
 * Values of reserves may change by this much until all loans are read again: a loan that is not followed is then at most at
 * 0.8 × 1.08 / 0.92, that is below 0.94.
 */
const TOLERANCE = 0.08;

/** The error of doubles is far below one in a thousand. */
const EVALUATED_RISK = 0.999;

/** Loans that are read without a pause for other requests, about 10 ms. */
const SLICE = 500;

/** A loan to evaluate exactly. */
export type LiquidationCandidate = { readonly address: Address; readonly debt: number };

/** Candidates of one market, from all loans and from those that changed since. */
type Index = {
  readonly loans: Map<Address, LoanRisk>;
  readonly scale: RiskScale;
  /** Version of the loans up to which all changes are read. */
  version: number;
};

/** The candidates, largest debt first, and the market that they are computed from. Undefined for an unknown market. */
type LiquidationCandidates = (
  reader: ClusterReader,
  market: Address,
) => Promise<
  | { readonly market: MarketSnapshot; readonly candidates: readonly LiquidationCandidate[] }
  | undefined
>;

/**
 * Reads all loans of a market once, in slices, and afterwards only those that changed. All of them are read again when a
 * price or an exchange rate has changed by several percent, or a rule of the market.
 */
export function createLiquidationCandidates(marketOf: MarketCache): LiquidationCandidates {
  const indexes = new WeakMap<ClusterReader, Map<Address, Index>>();
  const scans = new WeakMap<ClusterReader, Map<Address, Promise<Index | undefined>>>();

  function scanOnce(reader: ClusterReader, address: Address): Promise<Index | undefined> {
    const running = scans.get(reader) ?? new Map<Address, Promise<Index | undefined>>();
    scans.set(reader, running);
    const known = running.get(address);
    if (known !== undefined) return known;
    const scan = scanMarket(reader, address, marketOf).finally(() => running.delete(address));
    running.set(address, scan);
    return scan;
  }

  return async (reader, address) => {
    const byMarket = indexes.get(reader) ?? new Map<Address, Index>();
    indexes.set(reader, byMarket);
    for (;;) {
      const market = marketOf(reader, address);
      if (market === undefined) return undefined;
      const scale = viewRiskScale(market);
      const index = byMarket.get(address);
      if (index !== undefined && !hasDrifted(index.scale, scale, TOLERANCE)) {
        updateIndex(index, reader, address);
        return { market, candidates: selectCandidates(index, scale) };
      }
      const scanned = await scanOnce(reader, address);
      if (scanned === undefined) return undefined;
      byMarket.set(address, scanned);
    }
  };
}

async function scanMarket(
  reader: ClusterReader,
  address: Address,
  marketOf: MarketCache,
): Promise<Index | undefined> {
  const market = marketOf(reader, address);
  if (market === undefined) return undefined;
  const index: Index = {
    loans: new Map(),
    scale: viewRiskScale(market),
    // changes during the scan are read afterwards
    version: reader.versionOf('obligation'),
  };
  let read = 0;
  for (const loan of reader.obligationsIn(address)) {
    followLoan(index, loan);
    read += 1;
    if (read % SLICE === 0) await setImmediate();
  }
  return index;
}

type StoredLoan = NonNullable<ReturnType<ClusterReader['obligation']>>;

function followLoan({ loans, scale }: Index, { address, fields }: StoredLoan): void {
  const risk = readLoanRisk(fields, scale);
  if (risk !== undefined && !(riskOf(risk, scale).risk < FOLLOWED_RISK)) loans.set(address, risk);
  else loans.delete(address);
}

function updateIndex(index: Index, reader: ClusterReader, market: Address): void {
  const version = reader.versionOf('obligation');
  if (version === index.version) return;
  for (const loan of reader.obligationsIn(market, index.version)) followLoan(index, loan);
  index.version = version;
}

function selectCandidates({ loans }: Index, scale: RiskScale): LiquidationCandidate[] {
  const found: LiquidationCandidate[] = [];
  for (const [address, loan] of loans) {
    const { risk, debt } = riskOf(loan, scale);
    if (!(risk < EVALUATED_RISK)) found.push({ address, debt });
  }
  return found.sort((a, b) => b.debt - a.debt || (a.address < b.address ? -1 : 1));
}
