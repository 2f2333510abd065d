import type { Address } from '../../base/encoding/address.ts';
import { CodedError, ErrorWithCode } from '../../base/errors.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import { mulRatio } from '../../base/numbers/ratio.ts';
import type { ObligationView } from '../../protocol/klend/layout/obligation.ts';
import { OBLIGATION_TAGS } from '../../protocol/klend/pda.ts';
import type { VaultStateView } from '../../protocol/kvault/layout/vault-state.ts';
import { type Loan, viewLoan } from '../lending/loan.ts';
import type { AddressedAccount, MarketSnapshot } from '../lending/market-snapshot.ts';
import { viewObligation } from '../lending/obligation-report.ts';
import type { Omission } from '../lending/unavailable-figures.ts';
import {
  computeVaultSnapshot,
  type VaultSnapshot,
  type VaultViewContext,
} from '../vaults/vault-snapshot.ts';
import type { VaultHolding } from './vault-position.ts';

/** A part of a wallet's portfolio. Failed items are omitted and their error codes listed. */
export type PortfolioSection<Item> = {
  readonly items: readonly Item[];
  readonly errors: readonly string[];
  /** The failed items with their reasons. */
  readonly omitted: readonly Omission[];
};

export type PortfolioLoan = {
  readonly loan: Loan;
  readonly kind: LoanSection;
  readonly humanTag: string;
};

/** Vanilla and lending loans, multiply loans, leverage loans. */
export type LoanSection = 'lending' | 'multiply' | 'leverage';

/** Vault shares in tokens and USD; the value is undefined without a token price. */
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

/** Undefined for an unknown tag. */
export const loanSection = ({ tag }: Pick<ObligationView, 'tag'>): LoanSection | undefined =>
  sectionOfTag.get(Number(tag));

/** A wallet's non-empty loans by section. */
export function viewPortfolioLoans(
  obligations: readonly AddressedAccount<ObligationView>[],
  marketOf: (address: Address) => MarketSnapshot | undefined,
): Readonly<Record<LoanSection, PortfolioSection<PortfolioLoan>>> {
  const found = collectSection(obligations, (obligation) => portfolioLoan(obligation, marketOf));
  const sectionOf = (section: LoanSection): PortfolioSection<PortfolioLoan> => ({
    items: found.items.filter(({ kind }) => kind === section),
    errors: found.errors,
    omitted: found.omitted,
  });
  return {
    lending: sectionOf('lending'),
    multiply: sectionOf('multiply'),
    leverage: sectionOf('leverage'),
  };
}

/** The value of a wallet's vault shares. */
export function viewEarnPositions(
  holdings: readonly VaultHolding[],
  vaultOf: (address: Address) => AddressedAccount<VaultStateView> | undefined,
  context: VaultViewContext,
): PortfolioSection<EarnPosition> {
  const sources = holdings.map(({ vault: address, shares }) => ({ address, shares }));
  return collectSection(sources, ({ address, shares }) => {
    const account = vaultOf(address);
    if (account === undefined) throw unknown(address, 'no such vault is known');
    const vault = computeVaultSnapshot(account, context);
    const tokens = mulRatio(shares, vault.tokensPerShare);
    const value = vault.tokenPrice && mulRatio(tokens, vault.tokenPrice);
    return { vault, shares, tokens, value };
  });
}

function portfolioLoan(
  obligation: AddressedAccount<ObligationView>,
  marketOf: (address: Address) => MarketSnapshot | undefined,
): PortfolioLoan | undefined {
  const { lendingMarket, tag } = obligation.fields;
  const market = marketOf(lendingMarket);
  if (market === undefined) throw unknown(lendingMarket, 'no such market is known');
  const loan = viewLoan(obligation, market);
  if (loan.deposits.length === 0 && loan.borrows.length === 0) return undefined;
  const kind = loanSection(obligation.fields);
  if (kind === undefined) throw unknown(obligation.address, `its tag ${tag} is not known`);
  return { loan, kind, humanTag: viewObligation(obligation, market).humanTag };
}

/** Rethrows a stale read, which a retry resolves; any other error is listed in the section. */
export function collectSection<Source extends { readonly address: Address }, Item>(
  sources: Iterable<Source>,
  view: (source: Source) => Item | undefined,
): PortfolioSection<Item> {
  const items: Item[] = [];
  const errors = new Set<string>();
  const omitted: Omission[] = [];
  for (const source of sources) {
    try {
      const item = view(source);
      if (item !== undefined) items.push(item);
    } catch (error) {
      if (!(error instanceof ErrorWithCode) || error.code === 'STALE_READ') throw error;
      errors.add(error.code);
      omitted.push({ address: source.address, reason: error.message });
    }
  }
  return { items, errors: [...errors], omitted };
}

const unknown = (address: Address, reason: string): CodedError =>
  new CodedError('ACCOUNT_UNREADABLE', { address, reason });
