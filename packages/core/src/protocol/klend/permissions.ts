import { ZERO_ADDRESS } from '../../base/encoding/address.ts';
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
