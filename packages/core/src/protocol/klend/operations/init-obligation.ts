import type { Address } from '../../../base/encoding/address.ts';
import { type Obligation, obligation } from '../layout/obligation.ts';
import { updateTime } from '../math/accrual/accrual-duration.ts';
import { type LendingContext, withAssetTiers } from './position.ts';

export type NewObligation = {
  readonly owner: Address;
  readonly market: Address;
  readonly tag: number;
  /** From the owner's user metadata. */
  readonly referrer: Address;
};

/** Creates an obligation without positions. It must be refreshed before its first use. */
export function initObligation(request: NewObligation, context: LendingContext): Obligation {
  const { body } = obligation;
  const empty = body.decode(new DataView(new ArrayBuffer(body.size)), 0);
  return withAssetTiers(
    {
      ...empty,
      tag: BigInt(request.tag),
      lastUpdate: { ...updateTime(empty.lastUpdate, context.time, context.rules), stale: 1 },
      lendingMarket: request.market,
      owner: request.owner,
      referrer: request.referrer,
    },
    context,
  );
}
