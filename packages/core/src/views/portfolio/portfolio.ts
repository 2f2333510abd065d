import type { Address } from '../../base/encoding/address.ts';
import { CodedError, type ErrorCode } from '../../base/errors.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import { mulRatio } from '../../base/numbers/ratio.ts';
import type { ObligationView } from '../../protocol/klend/layout/obligation.ts';
import { OBLIGATION_TAGS } from '../../protocol/klend/pda.ts';
import type { VaultStateView } from '../../protocol/kvault/layout/vault-state.ts';
import { type Loan, viewLoan } from '../lending/loan.ts';
import type { MarketSnapshot, Placed } from '../lending/market-snapshot.ts';
import { viewObligation } from '../lending/obligation-report.ts';
import {
  snapshotVault,
  type VaultSnapshot,
  type VaultViewContext,
} from '../vaults/vault-snapshot.ts';
import type { VaultPosition } from './vault-position.ts';

/** A part of what a wallet has. What could not be counted is left out, and its kind of failure told. */
export type PortfolioSection<Item> = {
  readonly items: readonly Item[];
  readonly errors: readonly ErrorCode[];
};

export type PortfolioLoan = {
  readonly loan: Loan;
  readonly kind: LoanSection;
  readonly humanTag: string;
};

/** `Vanilla` and `Lending` loans, multiplied ones, leveraged ones. */
export type LoanSection = 'lending' | 'multiply' | 'leverage';

/** Vault shares in tokens and USD; no value where the token has no price. */
export type EarnPosition = {
  readonly vault: VaultSnapshot;
  readonly shares: Ratio;
  readonly tokens: Ratio;
  readonly value: Ratio | undefined;
};

const { vanilla, lending, lendingFixedRate, multiply, multiplyFixedRate, leverage } =
  OBLIGATION_TAGS;

const sectionOfTag: ReadonlyMap<number, LoanSection> = new Map([
  [vanilla, 'lending'],
  [lending, 'lending'],
  [lendingFixedRate, 'lending'],
  [multiply, 'multiply'],
  [multiplyFixedRate, 'multiply'],
  [leverage, 'leverage'],
  [OBLIGATION_TAGS.leverageFixedRate, 'leverage'],
]);

/** Undefined for a tag that has no meaning yet. */
export const loanSection = ({ tag }: Pick<ObligationView, 'tag'>): LoanSection | undefined =>
  sectionOfTag.get(Number(tag));

/** A wallet's loans that hold something, by their kind. */
export function viewPortfolioLoans(
  obligations: readonly Placed<ObligationView>[],
  marketOf: (address: Address) => MarketSnapshot | undefined,
): Readonly<Record<LoanSection, PortfolioSection<PortfolioLoan>>> {
  const found = collectSection(obligations, (obligation) => portfolioLoan(obligation, marketOf));
  const sectionOf = (section: LoanSection): PortfolioSection<PortfolioLoan> => ({
    items: found.items.filter(({ kind }) => kind === section),
    errors: found.errors,
  });
  return {
    lending: sectionOf('lending'),
    multiply: sectionOf('multiply'),
    leverage: sectionOf('leverage'),
  };
}

/** The worth of a wallet's vault shares. */
export function viewEarnPositions(
  positions: readonly VaultPosition[],
  vaultOf: (address: Address) => Placed<VaultStateView> | undefined,
  terms: VaultViewContext,
): PortfolioSection<EarnPosition> {
  return collectSection(positions, (position) => {
    const account = vaultOf(position.vault);
    const vault = account && snapshotVault(account, terms);
    if (vault === undefined) throw unknown('vault', position.vault);
    const tokens = mulRatio(position.total, vault.tokensPerShare);
    const value = vault.tokenPrice && mulRatio(tokens, vault.tokenPrice);
    return { vault, shares: position.total, tokens, value };
  });
}

function portfolioLoan(
  obligation: Placed<ObligationView>,
  marketOf: (address: Address) => MarketSnapshot | undefined,
): PortfolioLoan | undefined {
  const market = marketOf(obligation.fields.lendingMarket);
  if (market === undefined) throw unknown('obligation', obligation.address);
  const loan = viewLoan(obligation, market);
  if (loan.deposits.length === 0 && loan.borrows.length === 0) return undefined;
  const kind = loanSection(obligation.fields);
  if (kind === undefined) throw unknown('obligation', obligation.address);
  return { loan, kind, humanTag: viewObligation(obligation, market).humanTag };
}

/** What comes again in a moment is worth asking again for; everything else is told as a gap. */
export function collectSection<From, Item>(
  from: Iterable<From>,
  make: (from: From) => Item | undefined,
): PortfolioSection<Item> {
  const items: Item[] = [];
  const errors = new Set<ErrorCode>();
  for (const one of from) {
    try {
      const item = make(one);
      if (item !== undefined) items.push(item);
    } catch (error) {
      if (!(error instanceof CodedError) || error.code === 'STALE_READ') throw error;
      errors.add(error.code);
    }
  }
  return { items, errors: [...errors] };
}

const unknown = (what: string, address: Address): CodedError =>
  new CodedError('MALFORMED_DATA', { what, reason: `what ${address} is made of is not known` });
