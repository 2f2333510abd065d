import type { Address } from '#core/base/encoding/address.ts';
import {
  OBLIGATION_TAGS,
  type ObligationKind,
  obligationAddress,
} from '#core/protocol/klend/pda.ts';
import type { ClusterReader } from '#core/state/cluster-reader.ts';

/** Selects a loan in a builder request. */
export type LoanKind = ObligationKind & { readonly id?: number };

/** Cached: a loan never changes its kind. */
const cache = new Map<Address, LoanKind>();

/** The kind of an obligation, derived from its address; undefined for an unusual one. */
export function findLoanKind(state: ClusterReader, address: Address): LoanKind | undefined {
  const kind = cache.get(address) ?? findKind(state, address);
  if (kind !== undefined) cache.set(address, kind);
  return kind;
}

function findKind(state: ClusterReader, address: Address): LoanKind | undefined {
  const { owner, lendingMarket, tag } = state.obligation(address)?.fields ?? {};
  if (owner === undefined || lendingMarket === undefined) return undefined;
  const mints = state.reservesOf(lendingMarket).map(({ fields }) => fields.liquidity.mintPubkey);
  return kindsOf(Number(tag), mints).find(
    (kind) => obligationAddress({ ...kind, owner, lendingMarket }) === address,
  );
}

function kindsOf(tag: number, mints: readonly Address[]): LoanKind[] {
  switch (tag) {
    case OBLIGATION_TAGS.vanilla:
      return [{ kind: 'vanilla' }, { kind: 'vanilla', id: 1 }];
    case OBLIGATION_TAGS.lending:
      return mints.map((mint) => ({ kind: 'lending', mint }));
    case OBLIGATION_TAGS.multiply:
    case OBLIGATION_TAGS.leverage: {
      const kind = tag === OBLIGATION_TAGS.multiply ? 'multiply' : 'leverage';
      return mints.flatMap((collateralMint) =>
        mints.map((debtMint) => ({ kind, collateralMint, debtMint }) as const),
      );
    }
    default:
      return [];
  }
}
