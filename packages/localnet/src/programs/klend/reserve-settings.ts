import {
  type Address,
  type Field,
  lamports,
  ONE_SF,
  U64_MAX,
  u8,
  ZERO_ADDRESS,
} from '@tidegate/core/base';
import { klendRejection } from '@tidegate/core/protocol/klend';
import type { ReserveConfigMode } from '@tidegate/core/protocol/klend/instructions';
import type { LendingMarket, Reserve } from '@tidegate/core/protocol/klend/layout';
import { type ElevationGroup, findElevationGroup } from '@tidegate/core/protocol/klend/math';
import type { InvokeContext } from '../../runtime/program.ts';
import { ProgramFailure } from '../../runtime/transaction-errors.ts';
import { anchorFailure } from '../framework/anchor-program.ts';

type Config = Reserve['config'];

type Setting = (call: InvokeContext, config: Config, value: Uint8Array) => Config;

/** Sets a setting of a reserve. One that is not modelled fails like an unknown instruction. */
export function applySetting(
  call: InvokeContext,
  reserve: Reserve,
  { mode, value }: { readonly mode: ReserveConfigMode; readonly value: Uint8Array },
): Reserve {
  const setting = SETTINGS[mode];
  if (setting === undefined) throw unsupported(call, mode);
  return { ...reserve, config: setting(call, reserve.config, value) };
}

/** The value at the start of the bytes; the rest is ignored. */
export const tryDecode = <Value>(field: Field<Value>, value: Uint8Array): Value | undefined =>
  value.length < field.size
    ? undefined
    : field.decode(new DataView(value.buffer, value.byteOffset, value.length), 0);

type SettingOf<Value> = {
  /** In the program's notation. */
  readonly name: string;
  readonly field: Field<Value>;
  readonly get: (config: Config) => Value;
  readonly set: (config: Config, value: Value) => Config;
  readonly check?: (value: Value) => void;
  readonly format?: (value: Value) => string;
};

const setting =
  <Value extends bigint | number>(of: SettingOf<Value>): Setting =>
  (call, config, bytes) => {
    const value = decodeOrFail(call, of.field, bytes);
    of.check?.(value);
    const format = of.format ?? String;
    call.log(`Prv value: &mut reserve.config.${of.name} = ${format(of.get(config))}`);
    call.log(`New value: &mut reserve.config.${of.name} = ${format(value)}`);
    return of.set(config, value);
  };

const SETTINGS: { readonly [Mode in ReserveConfigMode]?: Setting } = {
  UpdateReserveStatus: setting({
    name: 'status',
    field: u8,
    get: (config) => config.status,
    set: (config, status) => ({ ...config, status }),
    check: (status) => requireValid(RESERVE_STATUSES[status] !== undefined, `no status ${status}`),
    format: (status) => RESERVE_STATUSES[status] ?? `unknown status ${status}`,
  }),
  UpdateDepositLimit: setting({
    name: 'deposit_limit',
    field: lamports,
    get: (config) => config.depositLimit,
    set: (config, depositLimit) => ({ ...config, depositLimit }),
  }),
  UpdateBorrowLimit: setting({
    name: 'borrow_limit',
    field: lamports,
    get: (config) => config.borrowLimit,
    set: (config, borrowLimit) => ({ ...config, borrowLimit }),
  }),
  UpdateLoanToValuePct: setting({
    name: 'loan_to_value_pct',
    field: u8,
    get: (config) => config.loanToValuePct,
    set: (config, loanToValuePct) => ({ ...config, loanToValuePct }),
    check: (percent) => requireValid(percent <= 100, `${percent} is no percentage`),
  }),
  UpdateDisableUsageAsCollateralOutsideEmode: setting({
    name: 'disable_usage_as_coll_outside_emode',
    field: u8,
    get: (config) => config.disableUsageAsCollOutsideEmode,
    set: (config, flag) => ({ ...config, disableUsageAsCollOutsideEmode: flag }),
    check: requireFlag,
  }),
  UpdateBlockPriceUsage: setting({
    name: 'token_info.block_price_usage',
    field: u8,
    get: ({ tokenInfo }) => tokenInfo.blockPriceUsage,
    set: (config, blockPriceUsage) => ({
      ...config,
      tokenInfo: { ...config.tokenInfo, blockPriceUsage },
    }),
    check: requireFlag,
  }),
  UpdateReserveEmergencyMode: setting({
    name: 'emergency_mode',
    field: u8,
    get: (config) => config.emergencyMode,
    set: (config, emergencyMode) => ({ ...config, emergencyMode }),
    check: requireFlag,
  }),
  UpdateRewardsAmountPerAccrualUnit: setting({
    name: 'rewards_amount_per_accrual_unit',
    field: lamports,
    get: (config) => config.rewardsAmountPerAccrualUnit,
    set: (config, rewardsAmountPerAccrualUnit) => ({ ...config, rewardsAmountPerAccrualUnit }),
  }),
  UpdateInterestRateBasis: setting({
    name: 'interest_rate_basis',
    field: u8,
    get: (config) => config.interestRateBasis,
    set: (config, interestRateBasis) => ({ ...config, interestRateBasis }),
    check: (basis) => requireValid(basis === TRUE_APR, `${basis} is not the basis TrueApr`),
    format: (basis) => BASES[basis] ?? `unknown basis ${basis}`,
  }),
};

/** Names of `config.interestRateBasis`, as in the program. */
const BASES = ['Legacy', 'TrueApr'];
/** The only basis that can be set: no reserve goes back to interest per slot. */
const TRUE_APR = 1;

function requireValid(isValid: boolean, reason: string): void {
  if (!isValid) throw klendRejection('InvalidConfig', reason);
}

function requireFlag(value: number): void {
  if (value > 1) throw klendRejection('InvalidFlag', `${value} is neither 0 nor 1`);
}

/** The program panics at deprecated settings. */
function unsupported(call: InvokeContext, mode: ReserveConfigMode): ProgramFailure {
  if (mode.startsWith('Deprecated')) {
    call.log('panicked: the setting is deprecated');
    return new ProgramFailure('ProgramFailedToComplete');
  }
  call.log(`This cluster's model of the program cannot do ${mode}`);
  return anchorFailure(call, 'InstructionFallbackNotFound');
}

function decodeOrFail<Value>(call: InvokeContext, field: Field<Value>, value: Uint8Array): Value {
  const decoded = tryDecode(field, value);
  if (decoded !== undefined) return decoded;
  const reason = 'Unexpected length of input';
  const error = `Error Code: BorshIoError("${reason}"). Error Number: ${15n << 32n}.`;
  call.log(`ProgramError occurred. ${error} Error Message: IO Error: ${reason}.`);
  throw new ProgramFailure('BorshIoError');
}

/** Names of `config.status`, as in the program. */
const RESERVE_STATUSES = ['Active', 'Obsolete', 'Hidden'];

const FULL_BPS = 10_000;

type ConfigOwner = { readonly market: LendingMarket; readonly reserve: Address };

/**
 * Requires a consistent config. Oracles are not checked: every refresh checks them, and the
 * modelled changes do not touch them.
 */
export function validateReserveConfig(config: Config, { market, reserve }: ConfigOwner): void {
  requireNoFaults(configFaults(config));
  for (const id of config.elevationGroups) {
    const group = findElevationGroup(market, id);
    if (group !== undefined) requireNoFaults(groupFaults(config, group, reserve));
  }
  const limit = config.utilizationLimitBlockBorrowingAbovePct;
  requireNoFaults([[limit > 100, 'the utilization limit']]);
  requireCurve(config.borrowRateCurve.points);
}

type Fault = readonly [isFault: boolean, description: string];

function requireNoFaults(faults: readonly Fault[]): void {
  const fault = faults.find(([isFault]) => isFault);
  if (fault !== undefined) throw klendRejection('InvalidConfig', `${fault[1]} is out of bounds`);
}

function configFaults(config: Config): readonly Fault[] {
  const { loanToValuePct: ltv, liquidationThresholdPct: threshold } = config;
  const { maxLiquidationBonusBps: bonus, borrowLimitOutsideElevationGroup: outside } = config;
  return [
    [RESERVE_STATUSES[config.status] === undefined, 'the status'],
    [ltv >= 100, 'the loan to value'],
    [bonus > FULL_BPS, 'the largest liquidation bonus'],
    [threshold < ltv || threshold > 100, 'the liquidation threshold'],
    [config.fees.originationFeeSf >= ONE_SF, 'the origination fee'],
    [config.protocolLiquidationFeePct > 100, 'the liquidation fee'],
    [config.protocolOrderExecutionFeePct > 100, 'the order execution fee'],
    [config.protocolTakeRatePct > 100, 'the take rate'],
    [config.badDebtLiquidationBonusBps >= 100, 'the liquidation bonus of bad debt'],
    [config.minLiquidationBonusBps > bonus, 'the least liquidation bonus'],
    [config.minDeleveragingBonusBps > bonus, 'the least deleveraging bonus'],
    [config.borrowFactorPct < 100n, 'the borrow factor'],
    [config.autodeleverageEnabled !== 0 && !canDeleverage(config), 'the deleveraging'],
    [outside !== U64_MAX && config.borrowLimit < outside, 'the borrow limit outside groups'],
  ];
}

const canDeleverage = (config: Config): boolean =>
  config.deleveragingMarginCallPeriodSecs > 0n &&
  config.deleveragingThresholdDecreaseBpsPerDay > 0n &&
  config.deleveragingBonusIncreaseBpsPerDay > 0n;

/** A group must be better than the reserve alone, except for its debt reserve. */
function groupFaults(config: Config, group: ElevationGroup, reserve: Address): readonly Fault[] {
  const { debtReserve, ltvPct: ltv, liquidationThresholdPct: threshold } = group;
  const isCollateral = debtReserve !== reserve;
  const bonus = group.maxLiquidationBonusBps;
  const isWorse =
    bonus > config.maxLiquidationBonusBps ||
    threshold < config.liquidationThresholdPct ||
    ltv < config.loanToValuePct;
  return [
    [debtReserve === ZERO_ADDRESS, `the debt of the group ${group.id}`],
    [isCollateral && isWorse, `the group ${group.id}, worse than the reserve,`],
    [isCollateral && (ltv > threshold || threshold > 100), `the group ${group.id}`],
    [group.maxReservesAsCollateral === 0, `the collateral of the group ${group.id}`],
  ];
}

/** The curve must run from 0 to full utilization and never fall; the end may be repeated. */
function requireCurve(points: Config['borrowRateCurve']['points']): void {
  const utilizations = points.map((point) => point.utilizationRateBps);
  const isComplete = utilizations[0] === 0 && utilizations.at(-1) === FULL_BPS;
  const isGrowing = points.every((point, i) => {
    const before = points[i - 1];
    if (before === undefined) return true;
    const { utilizationRateBps: utilization, borrowRateBps: rate } = point;
    const isEnd = before.utilizationRateBps === FULL_BPS && utilization === FULL_BPS;
    const isHigher = utilization > before.utilizationRateBps;
    return (isEnd || isHigher) && rate >= before.borrowRateBps;
  });
  if (isComplete && isGrowing) return;
  throw klendRejection('InvalidBorrowRateCurvePoint', 'the points of the curve are not in order');
}
