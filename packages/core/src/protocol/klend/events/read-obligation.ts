import type { initObligation } from '../instructions/init-obligation.ts';
import type { requestElevationGroup } from '../instructions/request-elevation-group.ts';
import type { KlendEventBody } from './klend-event.ts';
import type { socializeLoss } from './socialize-loss.ts';

type SocializeCall = ReturnType<typeof socializeLoss.decode>;
type ElevationGroupCall = ReturnType<typeof requestElevationGroup.decode>;
type InitCall = ReturnType<typeof initObligation.decode>;

export function readSocializedLoss({ accounts, args }: SocializeCall): KlendEventBody {
  const { lendingMarketOwner, obligation, lendingMarket, reserve } = accounts;
  return {
    kind: 'socializeLoss',
    lendingMarketOwner,
    obligation,
    lendingMarket,
    reserve,
    maxLiquidityAmount: args.liquidityAmount,
  };
}

export function readElevationGroup({ accounts, args }: ElevationGroupCall): KlendEventBody {
  return { kind: 'requestElevationGroup', ...accounts, elevationGroup: args.elevationGroup };
}

export function readNewObligation({ accounts, args }: InitCall): KlendEventBody {
  const { obligationOwner, obligation, lendingMarket } = accounts;
  return {
    kind: 'initObligation',
    owner: obligationOwner,
    obligation,
    lendingMarket,
    tag: args.tag,
    id: args.id,
  };
}
