import { type Address, floorSf, toLamports } from '@tidegate/core/base';
import { globalConfigAddress, KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import {
  type ReserveConfigMode,
  reserveConfigModes,
  updateReserveConfig,
} from '@tidegate/core/protocol/klend/instructions';
import { reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import { encodeInterestRateBasis, totalSupply } from '@tidegate/core/protocol/klend/math';
import { RESERVE_STATUS_OBSOLETE } from '@tidegate/core/protocol/klend/operations';
import { INSTRUCTIONS_SYSVAR } from '@tidegate/core/protocol/spl';
import type { Signer } from '../../runtime/signer.ts';
import type { TransactionRecord } from '../../runtime/transactions/transaction-record.ts';
import { decodeCached } from '../../runtime/typed-accounts.ts';
import type { Simulator } from '../setup/simulator.ts';
import { refreshedReserve } from './loan-state.ts';

/** An obsolete reserve accepts no deposits and lends nothing. */
export const markReserveObsolete = (
  simulator: Simulator,
  reserve: Address,
  owner: Signer,
): TransactionRecord =>
  updateConfig(simulator, {
    reserve,
    owner,
    mode: 'UpdateReserveStatus',
    value: [RESERVE_STATUS_OBSOLETE],
  });

/** From now on the reserve charges interest per second. */
export const chargeBySeconds = (
  simulator: Simulator,
  reserve: Address,
  owner: Signer,
): TransactionRecord =>
  updateConfig(simulator, {
    reserve,
    owner,
    mode: 'UpdateInterestRateBasis',
    value: [encodeInterestRateBasis('trueApr')],
  });

/** Sets the limit to the current supply plus 0.25 %. */
export function lowerDepositLimit(
  simulator: Simulator,
  reserve: Address,
  owner: Signer,
): TransactionRecord | undefined {
  const refreshed = refreshedReserve(simulator, reserve);
  if (refreshed === undefined) return undefined;
  const limit = (floorSf(totalSupply(refreshed.liquidity)) * 401n) / 400n;
  return updateConfig(simulator, {
    reserve,
    owner,
    mode: 'UpdateDepositLimit',
    value: encodeLimit(limit),
  });
}

/** Sets the limit to the current debt, rounded down: the reserve lends no more. */
export function lowerBorrowLimit(
  simulator: Simulator,
  reserve: Address,
  owner: Signer,
): TransactionRecord | undefined {
  const refreshed = refreshedReserve(simulator, reserve);
  if (refreshed === undefined) return undefined;
  return updateConfig(simulator, {
    reserve,
    owner,
    mode: 'UpdateBorrowLimit',
    value: encodeLimit(floorSf(refreshed.liquidity.borrowedAmountSf)),
  });
}

function encodeLimit(limit: bigint): readonly number[] {
  const value = new Uint8Array(8);
  new DataView(value.buffer).setBigUint64(0, toLamports(limit), true);
  return [...value];
}

type ConfigChange = {
  readonly reserve: Address;
  readonly owner: Signer;
  readonly mode: ReserveConfigMode;
  readonly value: readonly number[];
};

function updateConfig(
  simulator: Simulator,
  { reserve, owner, mode, value }: ConfigChange,
): TransactionRecord {
  const { lendingMarket } = decodeCached(reserveLayout, simulator.requireAccount(reserve));
  const instruction = updateReserveConfig.build(KLEND_PROGRAM, {
    accounts: {
      signer: owner.address,
      globalConfig: globalConfigAddress(),
      lendingMarket,
      reserve,
      instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
    },
    args: { mode: reserveConfigModes.indexOf(mode), skipConfigIntegrityValidation: 0 },
    list: value,
  });
  return simulator.execute({ instructions: [instruction], signers: [owner] });
}
