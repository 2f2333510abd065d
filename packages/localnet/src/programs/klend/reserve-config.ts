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

type Change = {
  readonly mode: ReserveConfigMode;
  readonly value: Uint8Array;
  readonly isValidated: boolean;
};

type Settings = {
  readonly signer: Address;
  readonly globalAdmin: Address;
  readonly market: LendingMarket;
  readonly reserve: Reserve;
};

type Checked = {
  readonly market: LendingMarket;
  readonly address: Address;
  readonly change: Change;
};

type SettingsAccounts = InstructionAccounts<typeof updateReserveConfig.slots>;

const UNITS = 30_000;

/** What owners change of a reserve: its status and its limits. The other settings are not modelled. */
export const reserveConfigHandlers = (): InstructionHandler[] => [
  anchorHandler(updateReserveConfig, UNITS, ({ accounts, args, list }, call) => {
    const mode = reserveConfigModes[args.mode];
    const { skipConfigIntegrityValidation: skip } = args;
    if (mode === undefined || skip > 1) throw anchorFailure(call, 'InstructionDidNotDeserialize');
    const change = { mode, value: Uint8Array.from(list), isValidated: skip === 0 };
    const settings = openSettings(call, accounts, change);
    logChange(call, accounts, { settings, mode });
    requireChangeable(settings, mode);
    const { market } = settings;
    const refreshed = accrueReserveToSlot(settings.reserve, { market, time: call.time });
    const changed = markStale(withSetting(call, refreshed, change));
    requireIntegrity(call, changed, { market, address: accounts.reserve, change });
    requireOpener(call, settings, changed);
    writeReserve(call, accounts.reserve, changed);
  }),
];

/** The signer is looked at before the accounts are known to belong together, as the program does. */
function openSettings(call: InvokeContext, accounts: SettingsAccounts, change: Change): Settings {
  const { signer, lendingMarket } = accounts;
  const { globalAdmin } = readAccount(call, globalConfig, accounts.globalConfig);
  const market = readMarket(call, lendingMarket);
  const reserve = readAccount(call, reserveLayout, accounts.reserve);
  const settings = { signer, globalAdmin, market, reserve };
  if (!isAllowed(settings, change)) {
    throw klendRejection('InvalidSigner', `${signer} may not change it`);
  }
  if (accounts.globalConfig !== globalConfigAddress(call.program)) {
    throw anchorFailure(call, 'ConstraintSeeds', 'globalConfig');
  }
  readReserve(call, accounts.reserve, { market: lendingMarket });
  requireAddresses(call, accounts, { instructionSysvarAccount: INSTRUCTIONS_SYSVAR });
  return settings;
}

const OF_GLOBAL_ADMIN: readonly ReserveConfigMode[] = [
  'UpdateProtocolLiquidationFee',
  'UpdateProtocolTakeRate',
  'UpdateFeesOriginationFee',
  'UpdateFeesFlashLoanFee',
  'UpdateHostFixedInterestRateBps',
  'UpdateProtocolOrderExecutionFee',
  'UpdateBlockCTokenUsage',
];

function isAllowed(
  { signer, globalAdmin, market, reserve }: Settings,
  { mode, value }: Change,
): boolean {
  const isBeingMade =
    !isUsed(reserve, market) && isBlocked(reserve) && reserve.config.proposerAuthorityLocked === 0;
  if (isBeingMade && signer === market.proposerAuthority) return true;
  if (OF_GLOBAL_ADMIN.includes(mode)) return signer === globalAdmin;
  if (stopsUsage(mode, value) && signer === market.emergencyCouncil) return true;
  return signer === market.lendingMarketOwner;
}

/** What the emergency council may do. The program reads the value for whoever signs, and stops where it is too short. */
function stopsUsage(mode: ReserveConfigMode, value: Uint8Array): boolean {
  if (mode === 'UpdateBorrowLimit') return firstOrStop(lamports, value) === 0n;
  return mode === 'UpdateBlockPriceUsage' && firstOrStop(u8, value) === 1;
}

function firstOrStop<Value>(field: Field<Value>, value: Uint8Array): Value {
  const found = first(field, value);
  if (found === undefined) throw new ProgramFailure('ProgramFailedToComplete');
  return found;
}

const isUsed = (
  { liquidity, collateral }: Reserve,
  { minInitialDepositAmount: least }: LendingMarket,
): boolean =>
  liquidity.totalAvailableAmount > least ||
  liquidity.borrowedAmountSf > 0n ||
  collateral.mintTotalSupply > least;

const isBlocked = ({ config }: Reserve): boolean =>
  config.depositLimit === 0n && config.borrowLimit === 0n;

function logChange(
  call: InvokeContext,
  { reserve: address, lendingMarket }: SettingsAccounts,
  { settings, mode }: { readonly settings: Settings; readonly mode: ReserveConfigMode },
): void {
  const { market, reserve } = settings;
  const symbol = bytesToText(reserve.config.tokenInfo.name);
  call.log(`Updating reserve ${address} ${symbol} config with mode ${mode}`);
  call.log(`Market ${lendingMarket} ${bytesToText(market.name)}`);
}

function requireChangeable(
  { signer, globalAdmin, market, reserve }: Settings,
  mode: ReserveConfigMode,
): void {
  const isAdmins = OF_GLOBAL_ADMIN.includes(mode) && signer === globalAdmin;
  if (market.immutable !== 0 && !isAdmins) {
    throw klendRejection('OperationNotPermittedMarketImmutable', 'the market is closed to changes');
  }
  if (reserve.liquidity.totalAvailableAmount === 0n && reserve.collateral.mintTotalSupply === 0n) {
    throw klendRejection('ReserveHasNotReceivedInitialDeposit', 'nothing was ever deposited');
  }
}

function withSetting(call: InvokeContext, reserve: Reserve, { mode, value }: Change): Reserve {
  switch (mode) {
    case 'UpdateReserveStatus': {
      const status = given(call, u8, value);
      if (RESERVE_STATUSES[status] === undefined)
        throw klendRejection('InvalidConfig', `no status ${status}`);
      const told = (number: number) => RESERVE_STATUSES[number] ?? `unknown status ${number}`;
      logValues(call, 'status', [told(reserve.config.status), told(status)]);
      return withConfig(reserve, { status });
    }
    case 'UpdateDepositLimit': {
      const depositLimit = given(call, lamports, value);
      logValues(call, 'deposit_limit', [reserve.config.depositLimit, depositLimit]);
      return withConfig(reserve, { depositLimit });
    }
    case 'UpdateBorrowLimit': {
      const borrowLimit = given(call, lamports, value);
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

/** What the program takes and the model has not fails like an instruction that it has not; the program stops at old ones. */
function unsupported(call: InvokeContext, mode: ReserveConfigMode): ProgramFailure {
  if (mode.startsWith('Deprecated')) {
    call.log('panicked: the setting is deprecated');
    return new ProgramFailure('ProgramFailedToComplete');
  }
  call.log(`This cluster's model of the program cannot do ${mode}`);
  return anchorFailure(call, 'InstructionFallbackNotFound');
}

/** The value at the start of the bytes; those behind it are ignored, too few are an error of the runtime's. */
function given<Value>(call: InvokeContext, field: Field<Value>, value: Uint8Array): Value {
  const found = first(field, value);
  if (found !== undefined) return found;
  const reason = 'Unexpected length of input';
  const error = `Error Code: BorshIoError("${reason}"). Error Number: ${15n << 32n}.`;
  call.log(`ProgramError occurred. ${error} Error Message: IO Error: ${reason}.`);
  throw new ProgramFailure('BorshIoError');
}

const first = <Value>(field: Field<Value>, value: Uint8Array): Value | undefined =>
  value.length < field.size
    ? undefined
    : field.decode(new DataView(value.buffer, value.byteOffset, value.length), 0);

/** Settings go unchecked only where nobody uses the reserve or can use it. */
function requireIntegrity(
  call: InvokeContext,
  reserve: Reserve,
  { market, address, change }: Checked,
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

/** Whoever may prepare a reserve, its use begins with the owner. */
function requireOpener(
  call: InvokeContext,
  { signer, market, reserve }: Settings,
  changed: Reserve,
): void {
  if (!isBlocked(reserve) || isBlocked(changed)) return;
  if (signer !== market.lendingMarketOwner) {
    throw klendRejection('InvalidSigner', 'only the owner of the market opens a reserve');
  }
  call.log('Reserve usage is now allowed');
}
