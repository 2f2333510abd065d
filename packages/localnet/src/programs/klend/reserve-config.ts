import { type Address, bytesToText, type Field, lamports, u8 } from '@tidegate/core/base';
import { globalConfigAddress, klendRejection } from '@tidegate/core/protocol/klend';
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
import { accrueReserveToSlot, markStale } from '@tidegate/core/protocol/klend/operations';
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
  readMarket,
  readReserve,
  requireAddresses,
} from './lending-constraints.ts';
import { writeReserve } from './position-accounts.ts';
import { RESERVE_STATUSES, validateReserveConfig } from './reserve-config-validation.ts';

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

/** Changes of a reserve's status and limits. Other settings are not modelled. */
export const reserveConfigHandlers = (): InstructionHandler[] => [
  anchorHandler(updateReserveConfig, UNITS, ({ accounts, args, list }, call) => {
    const mode = reserveConfigModes[args.mode];
    const { skipConfigIntegrityValidation: skip } = args;
    if (mode === undefined || skip > 1) throw anchorFailure(call, 'InstructionDidNotDeserialize');
    const change = { mode, value: Uint8Array.from(list), isValidated: skip === 0 };
    const context = loadContext(call, accounts, change);
    logChange(call, accounts, { context, mode });
    requireChangeable(context, mode);
    const { market } = context;
    const refreshed = accrueReserveToSlot(context.reserve, { market, time: call.time });
    const changed = markStale(applyChange(call, refreshed, change));
    requireValidConfig(call, changed, { market, address: accounts.reserve, change });
    requireOwnerToOpen(call, context, changed);
    writeReserve(call, accounts.reserve, changed);
  }),
];

/** Checks the signer before the account constraints, as the program does. */
function loadContext(
  call: InvokeContext,
  accounts: ConfigAccounts,
  change: ConfigChange,
): ConfigContext {
  const { signer, lendingMarket } = accounts;
  const { globalAdmin } = readAccount(call, globalConfig, accounts.globalConfig);
  const market = readMarket(call, lendingMarket);
  const reserve = readAccount(call, reserveLayout, accounts.reserve);
  const context = { signer, globalAdmin, market, reserve };
  if (!isAllowed(context, change)) {
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
): boolean {
  const isUnderConstruction =
    !isUsed(reserve, market) && isBlocked(reserve) && reserve.config.proposerAuthorityLocked === 0;
  if (isUnderConstruction && signer === market.proposerAuthority) return true;
  if (GLOBAL_ADMIN_MODES.includes(mode)) return signer === globalAdmin;
  if (stopsUsage(mode, value) && signer === market.emergencyCouncil) return true;
  return signer === market.lendingMarketOwner;
}

/**
 * Changes that the emergency council may make. The program reads the value for any signer, and
 * panics if it is too short.
 */
function stopsUsage(mode: ReserveConfigMode, value: Uint8Array): boolean {
  if (mode === 'UpdateBorrowLimit') return decodeOrPanic(lamports, value) === 0n;
  return mode === 'UpdateBlockPriceUsage' && decodeOrPanic(u8, value) === 1;
}

function decodeOrPanic<Value>(field: Field<Value>, value: Uint8Array): Value {
  const decoded = tryDecode(field, value);
  if (decoded === undefined) throw new ProgramFailure('ProgramFailedToComplete');
  return decoded;
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
  if (market.immutable !== 0 && !isAdminChange) {
    throw klendRejection('OperationNotPermittedMarketImmutable', 'the market is closed to changes');
  }
  if (reserve.liquidity.totalAvailableAmount === 0n && reserve.collateral.mintTotalSupply === 0n) {
    throw klendRejection('ReserveHasNotReceivedInitialDeposit', 'nothing was ever deposited');
  }
}

function applyChange(
  call: InvokeContext,
  reserve: Reserve,
  { mode, value }: ConfigChange,
): Reserve {
  switch (mode) {
    case 'UpdateReserveStatus': {
      const status = decodeOrFail(call, u8, value);
      if (RESERVE_STATUSES[status] === undefined)
        throw klendRejection('InvalidConfig', `no status ${status}`);
      const statusName = (number: number) => RESERVE_STATUSES[number] ?? `unknown status ${number}`;
      logValues(call, 'status', [statusName(reserve.config.status), statusName(status)]);
      return withConfig(reserve, { status });
    }
    case 'UpdateDepositLimit': {
      const depositLimit = decodeOrFail(call, lamports, value);
      logValues(call, 'deposit_limit', [reserve.config.depositLimit, depositLimit]);
      return withConfig(reserve, { depositLimit });
    }
    case 'UpdateBorrowLimit': {
      const borrowLimit = decodeOrFail(call, lamports, value);
      logValues(call, 'borrow_limit', [reserve.config.borrowLimit, borrowLimit]);
      return withConfig(reserve, { borrowLimit });
    }
    default:
      throw unsupported(call, mode);
  }
}

const withConfig = (reserve: Reserve, changed: Partial<Reserve['config']>): Reserve => ({
  ...reserve,
  config: { ...reserve.config, ...changed },
});

function logValues(
  call: InvokeContext,
  field: string,
  [before, after]: readonly [bigint | string, bigint | string],
): void {
  call.log(`Prv value: &mut reserve.config.${field} = ${before}`);
  call.log(`New value: &mut reserve.config.${field} = ${after}`);
}

/**
 * A setting that is not modelled fails like an unknown instruction; the program panics at
 * deprecated ones.
 */
function unsupported(call: InvokeContext, mode: ReserveConfigMode): ProgramFailure {
  if (mode.startsWith('Deprecated')) {
    call.log('panicked: the setting is deprecated');
    return new ProgramFailure('ProgramFailedToComplete');
  }
  call.log(`This cluster's model of the program cannot do ${mode}`);
  return anchorFailure(call, 'InstructionFallbackNotFound');
}

/** Decodes the value at the start of the bytes; the rest is ignored. */
function decodeOrFail<Value>(call: InvokeContext, field: Field<Value>, value: Uint8Array): Value {
  const decoded = tryDecode(field, value);
  if (decoded !== undefined) return decoded;
  const reason = 'Unexpected length of input';
  const error = `Error Code: BorshIoError("${reason}"). Error Number: ${15n << 32n}.`;
  call.log(`ProgramError occurred. ${error} Error Message: IO Error: ${reason}.`);
  throw new ProgramFailure('BorshIoError');
}

const tryDecode = <Value>(field: Field<Value>, value: Uint8Array): Value | undefined =>
  value.length < field.size
    ? undefined
    : field.decode(new DataView(value.buffer, value.byteOffset, value.length), 0);

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
