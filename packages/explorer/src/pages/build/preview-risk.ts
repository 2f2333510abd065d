import type { LoanReport, Preview } from '@tidegate/client';
import { compareDecimals } from '@tidegate/client';
import { apiRequest, useResource, useResources } from '../../api/resource.ts';
import { areSettled } from '../../components/loading-page.tsx';
import { linkTokens } from '../../loans/linked-prices.ts';
import { type LiquidationFigure, liquidationFigures } from '../../loans/liquidation-figures.ts';
import {
  type FigureRisk,
  highestLevel,
  judgeFigure,
  type RiskLevel,
  sizeToCount,
} from '../../loans/liquidation-risk.ts';
import { loanHealth } from '../../loans/loan-health.ts';

/** How close a loan is to its liquidation after a transaction. */
export type LoanRisk = {
  readonly level: RiskLevel;
  /** Whether the loan can be liquidated at once. */
  readonly isLiquidatable: boolean;
  /** Whether the transaction brings the loan closer to it. */
  readonly isCloser: boolean;
  /** Of the prices and ratios that are close, the closest first. */
  readonly figures: readonly FigureRisk[];
};

export type LoanRiskState = {
  /** Undefined for a transaction that changes no loan. */
  readonly risk: LoanRisk | undefined;
  /** Until past prices are read. */
  readonly isLoading: boolean;
};

/** The risk after a transaction; undefined if nothing is built. */
export function useLoanRisk(preview: Preview | undefined): LoanRiskState {
  const { success = false, loan } = preview ?? {};
  const after = success ? (loan?.after ?? undefined) : undefined;
  const groups = useResource(
    after &&
      apiRequest('GET /svc-market/{pubkey}/price-groups', { path: { pubkey: after.marketId } }),
    { pollMs: POLL_MS },
  );
  const figures =
    after === undefined
      ? []
      : liquidationFigures(after.loanInfo, linkTokens(after, groups.data ?? []));
  const moves = useResources(figures.map(movesRequest), { pollMs: POLL_MS });
  if (after === undefined) return { risk: undefined, isLoading: false };
  const risks = figures.map((figure, index) => judgeFigure(figure, moves[index]?.data));
  return {
    risk: riskOf(risks, { before: loan?.before ?? undefined, after }),
    isLoading: !areSettled([groups, ...moves]),
  };
}

const POLL_MS = 600_000;

const movesRequest = ({ mint, against, change }: LiquidationFigure) =>
  apiRequest('GET /prices/{mint}/moves', {
    path: { mint },
    query: { size: sizeToCount(change), ...(against && { against: against.mint }) },
  });

type Loans = { readonly before: LoanReport | undefined; readonly after: LoanReport };

export function riskOf(figures: readonly FigureRisk[], { before, after }: Loans): LoanRisk {
  const then = loanHealth(after.loanInfo);
  const now = before && loanHealth(before.loanInfo);
  return {
    level: then.isLiquidatable ? 'danger' : highestLevel(figures),
    isLiquidatable: then.isLiquidatable,
    isCloser: then.health !== undefined && isBelow(then.health, now?.health),
    figures: figures
      .filter(({ level }) => level !== 'none')
      .sort((a, b) => compareDecimals(distanceOf(a), distanceOf(b))),
  };
}

/** A loan without debt is the farthest from a liquidation. */
const isBelow = (health: string, other: string | undefined): boolean =>
  other === undefined || compareDecimals(health, other) < 0;

const distanceOf = ({ figure }: FigureRisk): string => figure.change.replace('-', '');

/** Whether the reader must confirm the risk before signing. */
export const mustConfirm = ({ level, isCloser }: LoanRisk): boolean =>
  level === 'danger' && isCloser;
