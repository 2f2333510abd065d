import type { ChainTime } from '../../base/time.ts';
import { lendingMarket } from '../../protocol/klend/layout/lending-market.ts';
import { reserve as reserveLayout } from '../../protocol/klend/layout/reserve.ts';
import { latestTime } from '../../protocol/klend/math/accrual/accrual-duration.ts';
import { ctokenExchangeRate } from '../../protocol/klend/math/exchange-rate.ts';
import {
  type ReserveMap,
  requireNoEmergencyMode,
  reserveOf,
  withReserve,
} from '../../protocol/klend/operations/position.ts';
import { redeemCollateral } from '../../protocol/klend/operations/redeem-collateral.ts';
import { accrueReserveToSlot } from '../../protocol/klend/operations/refresh/refresh-reserve.ts';
import type { VaultState } from '../../protocol/kvault/layout/vault-state.ts';
import { withdrawFromVault } from '../../protocol/kvault/operations/withdraw.ts';
import type { ClusterReader, StoredAccountWithData } from '../../state/cluster-reader.ts';
import type { BuildContext } from '../build.ts';
import { laterTime } from '../later-time.ts';
import { requireMarket } from '../lending/lending-request.ts';
import { withdrawalPenalties } from './share-redemption.ts';
import type { VaultActionContext } from './vault-action-context.ts';
import { decodeVault } from './vault-at-slot.ts';
import type { RedemptionStep } from './vault-instructions.ts';

/** Withdrawal instructions, and the shares in the wallet's token account before them. */
type RedemptionRun = {
  readonly target: VaultActionContext;
  readonly steps: readonly RedemptionStep[];
  readonly shares: bigint;
};

/**
 * Runs withdrawal instructions with our models of the programs, `laterSlots` after the slot of the state. Throws
 * program rejections.
 */
export function runRedemption(
  { target, steps, shares }: RedemptionRun,
  context: BuildContext,
  laterSlots = 0n,
): Pick<Progress, 'shares' | 'paid'> {
  const { state } = context;
  const updates = target.reserves.map(({ fields }) => fields.lastUpdate);
  const time = laterTime(latestTime(state.at(), updates), laterSlots, state);
  const start: Progress = {
    vault: decodeVault(target),
    reserves: reservesAt(time, target, context.state),
    shares,
    paid: 0n,
  };
  return steps.reduce(
    (progress, step) => runStep(progress, step, { target, time, context }),
    start,
  );
}

/** The state between two withdrawal instructions. */
type Progress = {
  readonly vault: VaultState;
  readonly reserves: ReserveMap;
  /** In the wallet's token account. */
  readonly shares: bigint;
  readonly paid: bigint;
};

type StepInput = {
  readonly target: VaultActionContext;
  readonly time: ChainTime;
  readonly context: BuildContext;
};

function runStep(
  progress: Progress,
  { reserve: address, shares }: RedemptionStep,
  { target, time, context }: StepInput,
): Progress {
  const { vault, reserves } = progress;
  const rules = context.state.rulesAt(time.slot);
  const exchanges = new Map([...reserves].map(([key, each]) => [key, ctokenExchangeRate(each)]));
  const effects = withdrawFromVault(
    vault,
    { exchanges, time, rules: rules.vaults },
    {
      shares,
      sharesBalance: progress.shares,
      reserve: address,
      globalConfig: withdrawalPenalties(target, context),
    },
  );
  const after = {
    vault: effects.vault,
    shares: progress.shares - effects.sharesToBurn,
    paid: progress.paid + effects.availableToSendToUser + effects.investedLiquidityToSendToUser,
  };
  const collateral = effects.investedToDisinvestCtokens;
  if (address === undefined || collateral === 0n) return { ...after, reserves };
  const reserve = reserveOf(reserves, address);
  const lendingContext = {
    market: marketAt(reserve, context.state),
    time,
    rules: rules.lending,
  };
  requireNoEmergencyMode(lendingContext, reserve);
  const redeemed = accrueReserveToSlot(
    redeemCollateral(reserve, lendingContext, { collateral }).reserve,
    lendingContext,
  );
  return { ...after, reserves: withReserve(reserves, address, redeemed) };
}

const reservesAt = (
  time: ChainTime,
  { reserves }: VaultActionContext,
  state: ClusterReader,
): ReserveMap =>
  new Map(
    reserves.map(({ address, program, data }) => {
      const reserve = reserveLayout.decode({ owner: program, data });
      const rules = state.rulesAt(time.slot).lending;
      return [
        address,
        accrueReserveToSlot(reserve, { market: marketAt(reserve, state), time, rules }),
      ];
    }),
  );

function marketAt(
  { lendingMarket: address }: { readonly lendingMarket: StoredAccountWithData<unknown>['address'] },
  state: ClusterReader,
) {
  const { program, data } = requireMarket(state, address);
  return lendingMarket.decode({ owner: program, data });
}
