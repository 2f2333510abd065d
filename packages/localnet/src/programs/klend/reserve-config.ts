import { type Address, bytesToText, type Field, lamports, u8 } from '@tidegate/core/base';
import {
  globalConfigAddress,
  klendRejection,
  type LendingRules,
} from '@tidegate/core/protocol/klend';
import {
  type ReserveConfigMode,
  reserveConfigModes,
  updateReserveConfig,
} from '@tidegate/core/protocol/klend/instructions';
import {
  globalConfig,
  type LendingMarket,
  type Reserve,
  reserve as reserveLayout,
} from '@tidegate/core/protocol/klend/layout';
import {
  accrueReserveToSlot,
  markStale,
  withLimitTimestamps,
} from '@tidegate/core/protocol/klend/operations';
import { INSTRUCTIONS_SYSVAR } from '@tidegate/core/protocol/spl';
import type { InvokeContext } from '../../runtime/program.ts';
import { ProgramFailure } from '../../runtime/transaction-errors.ts';
import { readAccount } from '../../runtime/typed-accounts.ts';
import {
  anchorFailure,
  anchorHandler,
  type InstructionHandler,
} from '../framework/anchor-program.ts';
import {
  type InstructionAccounts,
  type LendingCall,
  readMarket,
  readReserve,
  requireAddresses,
  requireNoDurableNonce,
} from './lending-constraints.ts';
import { writeReserve } from './position-accounts.ts';
import { applySetting, tryDecode, validateReserveConfig } from './reserve-settings.ts';

type ConfigChange = {
  readonly mode: ReserveConfigMode;
  readonly value: Uint8Array;
  readonly isValidated: boolean;
};

type ConfigContext = {
  readonly signer: Address;
  readonly globalAdmin: Address;
  readonly market: LendingMarket;
  readonly reserve: Reserve;
};

type ValidatedChange = {
  readonly market: LendingMarket;
  readonly address: Address;
  readonly change: ConfigChange;
};

type ConfigAccounts = InstructionAccounts<typeof updateReserveConfig.accounts>;

const UNITS = 30_000;

/** Changes of the settings in `reserve-settings.ts`. Others are not modelled. */
export const reserveConfigHandlers = (rules: LendingRules): InstructionHandler[] => [
  anchorHandler(updateReserveConfig, UNITS, ({ accounts, args, list }, call) => {
    const mode = modeOf(args.mode, rules);
    const { skipConfigIntegrityValidation: skip } = args;
    if (mode === undefined || skip > 1) throw anchorFailure(call, 'InstructionDidNotDeserialize');
    const change = { mode, value: Uint8Array.from(list), isValidated: skip === 0 };
    const context = loadContext({ call, rules }, accounts, change);
    requireNoDurableNonce({ call, rules }, context.market);
    logChange(call, accounts, { context, mode });
    requireChangeable(context, mode);
    const { market } = context;
    const refreshed = accrueReserveToSlot(context.reserve, { market, time: call.time, rules });
    const applied = applySetting(call, refreshed, change);
    const changed = markStale(withLimitTimestamps(applied, { time: call.time, rules }));
    requireValidConfig(call, changed, { market, address: accounts.reserve, change });
    requireOwnerToOpen(call, context, changed);
    writeReserve(call, accounts.reserve, changed);
  }),
];

/** The basis is a setting since release 1.25. */
function modeOf(number: number, { accrualBasis }: LendingRules): ReserveConfigMode | undefined {
  const mode = reserveConfigModes[number];
  return mode === 'UpdateInterestRateBasis' && accrualBasis === 'slots' ? undefined : mode;
}

/** Checks the signer before the account constraints, as the program does. */
function loadContext(
  { call, rules }: LendingCall,
  accounts: ConfigAccounts,
  change: ConfigChange,
): ConfigContext {
  const { signer, lendingMarket } = accounts;
  const { globalAdmin } = readAccount(call, globalConfig, accounts.globalConfig);
  const market = readMarket(call, lendingMarket);
  const reserve = readAccount(call, reserveLayout, accounts.reserve);
  const context = { signer, globalAdmin, market, reserve };
  if (!isAllowed(context, change, rules)) {
    throw klendRejection('InvalidSigner', `${signer} may not change it`);
  }
  if (accounts.globalConfig !== globalConfigAddress(call.program)) {
    throw anchorFailure(call, 'ConstraintSeeds', 'globalConfig');
  }
  readReserve(call, accounts.reserve, { market: lendingMarket });
  requireAddresses(call, accounts, { instructionSysvarAccount: INSTRUCTIONS_SYSVAR });
  return context;
}

const GLOBAL_ADMIN_MODES: readonly ReserveConfigMode[] = [
  'UpdateProtocolLiquidationFee',
  'UpdateProtocolTakeRate',
  'UpdateFeesOriginationFee',
  'UpdateFeesFlashLoanFee',
  'UpdateHostFixedInterestRateBps',
  'UpdateProtocolOrderExecutionFee',
  'UpdateBlockCTokenUsage',
];

function isAllowed(
  { signer, globalAdmin, market, reserve }: ConfigContext,
  { mode, value }: ConfigChange,
  rules: LendingRules,
): boolean {
  const isUnderConstruction =
    !isUsed(reserve, market) && isBlocked(reserve) && reserve.config.proposerAuthorityLocked === 0;
  if (isUnderConstruction && signer === market.proposerAuthority) return true;
  if (GLOBAL_ADMIN_MODES.includes(mode)) return signer === globalAdmin;
  if (stopsUsage(mode, value, rules) && signer === market.emergencyCouncil) return true;
  return signer === market.lendingMarketOwner;
}

type CouncilSetting = { readonly field: Field<bigint | number>; readonly value: bigint };

const FIRST_COUNCIL_SETTINGS: { readonly [Mode in ReserveConfigMode]?: CouncilSetting } = {
  UpdateBorrowLimit: { field: lamports, value: 0n },
  UpdateBlockPriceUsage: { field: u8, value: 1n },
};

const COUNCIL_SETTINGS = {
  two: FIRST_COUNCIL_SETTINGS,
  six: {
    ...FIRST_COUNCIL_SETTINGS,
    UpdateReserveEmergencyMode: { field: u8, value: 1n },
    UpdateDisableUsageAsCollateralOutsideEmode: { field: u8, value: 1n },
    UpdateDepositLimit: { field: lamports, value: 0n },
    UpdateLoanToValuePct: { field: u8, value: 0n },
  },
};

/**
 * Changes that the emergency council may make. The program reads the value for any signer, and
 * panics if it is too short.
 */
function stopsUsage(
  mode: ReserveConfigMode,
  value: Uint8Array,
  { councilSettings }: LendingRules,
): boolean {
  const settings: typeof FIRST_COUNCIL_SETTINGS = COUNCIL_SETTINGS[councilSettings];
  const setting = settings[mode];
  if (setting === undefined) return false;
  const decoded = tryDecode(setting.field, value);
  if (decoded === undefined) throw new ProgramFailure('ProgramFailedToComplete');
  return BigInt(decoded) === setting.value;
}

const isUsed = (
  { liquidity, collateral }: Reserve,
  { minInitialDepositAmount: minAmount }: LendingMarket,
): boolean =>
  liquidity.totalAvailableAmount > minAmount ||
  liquidity.borrowedAmountSf > 0n ||
  collateral.mintTotalSupply > minAmount;

const isBlocked = ({ config }: Reserve): boolean =>
  config.depositLimit === 0n && config.borrowLimit === 0n;

function logChange(
  call: InvokeContext,
  { reserve: address, lendingMarket }: ConfigAccounts,
  { context, mode }: { readonly context: ConfigContext; readonly mode: ReserveConfigMode },
): void {
  const { market, reserve } = context;
  const symbol = bytesToText(reserve.config.tokenInfo.name);
  call.log(`Updating reserve ${address} ${symbol} config with mode ${mode}`);
  call.log(`Market ${lendingMarket} ${bytesToText(market.name)}`);
}

function requireChangeable(
  { signer, globalAdmin, market, reserve }: ConfigContext,
  mode: ReserveConfigMode,
): void {
  const isAdminChange = GLOBAL_ADMIN_MODES.includes(mode) && signer === globalAdmin;
  const isExempt = isAdminChange || mode === 'UpdateReserveEmergencyMode';
  if (market.immutable !== 0 && !isExempt) {
    throw klendRejection('OperationNotPermittedMarketImmutable', 'the market is closed to changes');
  }
  if (reserve.liquidity.totalAvailableAmount === 0n && reserve.collateral.mintTotalSupply === 0n) {
    throw klendRejection('ReserveHasNotReceivedInitialDeposit', 'nothing was ever deposited');
  }
}

/** The validation may be skipped only for unused, blocked reserves. */
function requireValidConfig(
  call: InvokeContext,
  reserve: Reserve,
  { market, address, change }: ValidatedChange,
): void {
  if (change.isValidated) {
    validateReserveConfig(reserve.config, { market, reserve: address });
    return;
  }
  if (isUsed(reserve, market) || !isBlocked(reserve)) {
    throw klendRejection('InvalidConfig', 'only settings of an unused reserve go unchecked');
  }
  call.log('WARNING! Skipping validation of the config');
}

/** Only the market owner may open a reserve for use. */
function requireOwnerToOpen(
  call: InvokeContext,
  { signer, market, reserve }: ConfigContext,
  changed: Reserve,
): void {
  if (!isBlocked(reserve) || isBlocked(changed)) return;
  if (signer !== market.lendingMarketOwner) {
    throw klendRejection('InvalidSigner', 'only the owner of the market opens a reserve');
  }
  call.log('Reserve usage is now allowed');
}
