import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import type { Call } from '../../spl/transaction/call-tree.ts';
import type { socializeLoss } from '../instructions/administration/socialize-loss.ts';
import type { initObligation } from '../instructions/init-obligation.ts';
import type { requestElevationGroup } from '../instructions/request-elevation-group.ts';
import type { KlendEventBody } from './klend-event.ts';

type SocializeCall = ReturnType<typeof socializeLoss.decode>;
type ElevationGroupCall = ReturnType<typeof requestElevationGroup.decode>;
type InitCall = ReturnType<typeof initObligation.decode>;

export function readSocializedLoss(
  { accounts, args }: SocializeCall,
  _call: Call,
  logs: readonly string[],
): KlendEventBody {
  const { lendingMarketOwner, obligation, lendingMarket, reserve } = accounts;
  return {
    kind: 'socializeLoss',
    lendingMarketOwner,
    obligation,
    lendingMarket,
    reserve,
    maxLiquidityAmount: args.liquidityAmount,
    forgivenAmount: forgivenAmount(logs),
  };
}

const FORGIVEN = /^Forgiving debt amount (\d{1,20})\.(\d{4})$/;

function forgivenAmount(logs: readonly string[]): Lamports | undefined {
  for (const line of logs) {
    const [, whole, decimals] = FORGIVEN.exec(line) ?? [];
    if (whole !== undefined) return toLamports(BigInt(whole) + (decimals === '0000' ? 0n : 1n));
  }
  return undefined;
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
