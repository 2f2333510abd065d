import { type Address, floorSf, toLamports } from '@tidegate/core/base';
import { globalConfigAddress, KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import {
  type ReserveConfigMode,
  reserveConfigModes,
  updateReserveConfig,
} from '@tidegate/core/protocol/klend/instructions';
import { reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import { totalSupply } from '@tidegate/core/protocol/klend/math';
import { RESERVE_STATUS_OBSOLETE } from '@tidegate/core/protocol/klend/operations';
import { INSTRUCTIONS_SYSVAR } from '@tidegate/core/protocol/spl';
import type { Signer } from '../../runtime/signer.ts';
import type { TransactionRecord } from '../../runtime/transactions/transaction-record.ts';
import { decodeCached } from '../../runtime/typed-accounts.ts';
import type { Simulator } from '../setup/simulator.ts';
import { refreshedReserve } from './loan-state.ts';

/** The reserve takes no more deposits and gives no more loans. */
export const markReserveObsolete = (
  player: Simulator,
  reserve: Address,
  owner: Signer,
): TransactionRecord =>
  setReserve(player, {
    reserve,
    owner,
    mode: 'UpdateReserveStatus',
    value: [RESERVE_STATUS_OBSOLETE],
  });

/** Leaves room for a four-hundredth of what is in it. */
export function lowerDepositLimit(
  player: Simulator,
  reserve: Address,
  owner: Signer,
): TransactionRecord | undefined {
  const now = refreshedReserve(player, reserve);
  if (now === undefined) return undefined;
  const limit = toLamports((floorSf(totalSupply(now.liquidity)) * 401n) / 400n);
  const value = new Uint8Array(8);
  new DataView(value.buffer).setBigUint64(0, limit, true);
  return setReserve(player, { reserve, owner, mode: 'UpdateDepositLimit', value: [...value] });
}

type Setting = {
  readonly reserve: Address;
  readonly owner: Signer;
  readonly mode: ReserveConfigMode;
  readonly value: readonly number[];
};

function setReserve(
  player: Simulator,
  { reserve, owner, mode, value }: Setting,
): TransactionRecord {
  const { lendingMarket } = decodeCached(reserveLayout, player.accountOf(reserve));
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
  return player.act({ instructions: [instruction], signers: [owner] });
}
