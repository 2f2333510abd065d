import { type ChainTime, toSlot, toUnixSeconds } from '../../base/time.ts';
import { lendingMarket } from '../../protocol/klend/layout/lending-market.ts';
import { reserve as reserveLayout } from '../../protocol/klend/layout/reserve.ts';
import { CURRENT_RULES } from '../../protocol/klend/lending-rules.ts';
import { exchangeRate } from '../../protocol/klend/math/exchange-rate.ts';
import {
  type ReserveMap,
  requireNoEmergencyMode,
  reserveOf,
  withReserve,
} from '../../protocol/klend/operations/position.ts';
import { redeemCollateral } from '../../protocol/klend/operations/redeem-collateral.ts';
import { accrueReserveToSlot } from '../../protocol/klend/operations/refresh-reserve.ts';
import type { VaultState } from '../../protocol/kvault/layout/vault-state.ts';
import { withdrawFromVault } from '../../protocol/kvault/operations/withdraw-from-vault.ts';
import { CURRENT_VAULT_RULES, type VaultRules } from '../../protocol/kvault/vault-rules.ts';
import type { ClusterReader, StoredAccountWithData } from '../../state/cluster-reader.ts';
import type { BuildContext } from '../build.ts';
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

type RunOptions = {
  readonly rules?: VaultRules;
  /** Runs it that many slots after the slot of the state. */
  readonly laterSlots?: bigint;
};

/** Runs withdrawal instructions with our models of the programs. Throws program rejections. */
export function runRedemption(
  { target, steps, shares }: RedemptionRun,
  context: BuildContext,
  { rules = CURRENT_VAULT_RULES, laterSlots = 0n }: RunOptions = {},
): Pick<Progress, 'shares' | 'paid'> {
  const time = laterTime(latestTime(target, context.state), laterSlots, context.state);
  const start: Progress = {
    vault: decodeVault(target),
    reserves: reservesAt(time, target, context.state),
    shares,
    paid: 0n,
  };
  return steps.reduce(
    (progress, step) => runStep(progress, step, { target, time, context, rules }),
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
  readonly rules: VaultRules;
};

function runStep(
  progress: Progress,
  { reserve: address, shares }: RedemptionStep,
  { target, time, context, rules }: StepInput,
): Progress {
  const { vault, reserves } = progress;
  const exchanges = new Map([...reserves].map(([key, each]) => [key, exchangeRate(each)]));
  const effects = withdrawFromVault(
    vault,
    { exchanges, time, rules },
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
  const lendingContext = { market: marketAt(reserve, context.state), time, rules: CURRENT_RULES };
  requireNoEmergencyMode(lendingContext, reserve);
  const redeemed = accrueReserveToSlot(
    redeemCollateral(reserve, lendingContext, { collateral }).reserve,
    lendingContext,
  );
  return { ...after, reserves: withReserve(reserves, address, redeemed) };
}

/** Rounds the time up. */
function laterTime({ slot, unix }: ChainTime, later: bigint, state: ClusterReader): ChainTime {
  const { numerator, denominator } = state.slotMs();
  const msPerSecond = 1000n * denominator;
  const seconds = (later * numerator + msPerSecond - 1n) / msPerSecond;
  return { slot: toSlot(slot + later), unix: toUnixSeconds(unix + seconds) };
}

/** The newest slot of any involved account: time never runs backwards. */
function latestTime({ reserves }: VaultActionContext, state: ClusterReader): ChainTime {
  const { slot, unix } = state.at();
  const updates = reserves.map(({ fields }) => fields.lastUpdate.slot);
  return { slot: updates.reduce((newest, each) => (each > newest ? each : newest), slot), unix };
}

const reservesAt = (
  time: ChainTime,
  { reserves }: VaultActionContext,
  state: ClusterReader,
): ReserveMap =>
  new Map(
    reserves.map(({ address, program, data }) => {
      const reserve = reserveLayout.decode({ owner: program, data });
      return [address, accrueReserveToSlot(reserve, { market: marketAt(reserve, state), time })];
    }),
  );

function marketAt(
  { lendingMarket: address }: { readonly lendingMarket: StoredAccountWithData<unknown>['address'] },
  state: ClusterReader,
) {
  const { program, data } = requireMarket(state, address);
  return lendingMarket.decode({ owner: program, data });
}
