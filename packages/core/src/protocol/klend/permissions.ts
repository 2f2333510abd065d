import { type Address, toAddress, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import type { LendingMarketView } from './layout/lending-market.ts';
import type { ReserveView } from './layout/reserve.ts';

/** Bits of `permissionedOps`. */
export const PERMISSIONED_OPERATIONS = { deposit: 1n, borrow: 2n, liquidate: 4n } as const;

export type PermissionedOperation = keyof typeof PERMISSIONED_OPERATIONS;

type PermissionedMarket = Pick<LendingMarketView, 'permissioningAuthority' | 'permissionedOps'>;
type PermissionedReserve = { readonly config: Pick<ReserveView['config'], 'permissionedOps'> };

/**
 * Whether the market's permissioning authority must sign an operation with the reserves. The market or one of the reserves
 * can require it; without an authority no operation needs a permission.
 */
export function needsPermission(
  market: PermissionedMarket,
  reserves: readonly PermissionedReserve[],
  operation: PermissionedOperation,
): boolean {
  if (market.permissioningAuthority === ZERO_ADDRESS) return false;
  const bit = PERMISSIONED_OPERATIONS[operation];
  const required = [
    market.permissionedOps,
    ...reserves.map(({ config }) => config.permissionedOps),
  ];
  return required.some((operations) => (operations & bit) !== 0n);
}

/** Calls of a program of its own transaction have this height, calls by it one more, and so on. */
const TOP_LEVEL = 1;

/**
 * Programs whose calls the lending program accepts for its first instructions, which need refreshes in the same transaction,
 * and how deep they may call it. The same from release 1.16 to 1.25.
 */
export const TRUSTED_CALLERS: ReadonlyMap<Address, number> = new Map(
  [
    ['FL3X2pRsQ9zHENpZSKDRREtccwJuei8yg9fwDu9UN69Q', 1],
    ['SMPLecH534NA9acpos4G6x7uf3LWbCAwZQE9e8ZekMu', 1],
    ['84Ue9gKQUsStFJQCNQpsqvbceo7fKYSSCCMXxMZ5PkiW', 1],
    ['SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf', 1],
    ['STAG3xkFMyVK3sRtQhipsKuLpRGbgospDpVdNyJqDpS', 1],
    ['24Uqj9JCLxUeoC3hGfh5W3s9FM9uCHDS2SG3LYwBpyTi', 1],
    ['CarrotwivhMpDnm27EHmRLeQ683Z1PufuqEmBZvD282s', 1],
    ['SANDsy8SBzwUE8Zio2mrYZYqL52Phr2WQb9DDKuXMVK', 1],
    ['bestdGyQeo7mgaSRNgEYdtjhsryNbP8jgg1Y9qoFbk7', 1],
    ['STkvh7ostar39Fwr4uZKASs1RNNuYMFMTsE77FiRsL2', 1],
    ['KvauGMspG5k6rtzrqqn7WNn3oZdyKqLKwK2XWQ8FLjd', 1],
    ['dvyFwAPniptQNb1ey4eM12L8iLHrzdiDsPPDndd6xAR', 1],
    ['XPK1ndTK1xrgRg99ifvdPP1exrx8D1mRXTuxBkkroCx', 2],
    ['ExponentnaRg3CQbW6dqQNZKXp7gtZ9DGMp1cwC4HAS7', 3],
    ['AgroFiE3bX7j4Tvfa7YAoFLqjjb35Bw6eed5BuYukPEn', 1],
    ['E7jPY6J5s2uAxAjJQX5tqoASkmFr6TYxVoMm97hPLNZ1', 1],
  ].map(([program, depth]) => [toAddress(String(program)), Number(depth)]),
);

/** Whether the lending program accepts a call. `outermost`: the program of the transaction's own instruction. */
export const isTrustedCall = (outermost: Address | undefined, stackHeight: number): boolean => {
  const depth = outermost === undefined ? 0 : (TRUSTED_CALLERS.get(outermost) ?? 0);
  return stackHeight <= TOP_LEVEL + depth;
};
