import type { Address } from '../../base/address.ts';
import { floorSf } from '../../base/fixed.ts';
import { toLamports } from '../../base/lamports.ts';
import {
  type ReserveConfigMode,
  reserveConfigModes,
  updateReserveConfig,
} from '../../protocol/klend/instructions/update-reserve-config.ts';
import { reserve as reserveLayout } from '../../protocol/klend/layout/reserve.ts';
import { totalSupply } from '../../protocol/klend/math/supply.ts';
import { OBSOLETE } from '../../protocol/klend/operations/position.ts';
import { globalConfigAddress } from '../../protocol/klend/pda.ts';
import { KLEND_PROGRAM } from '../../protocol/klend/program.ts';
import { INSTRUCTIONS_SYSVAR } from '../../protocol/spl/programs.ts';
import { decoded } from '../runtime/typed-accounts.ts';
import type { Signer } from '../signer.ts';
import type { TransactionRecord } from '../transactions/transaction-record.ts';
import { reserveNow } from './loan-now.ts';
import type { Player } from './player.ts';

/** The reserve takes no more deposits and gives no more loans. */
export const windUp = (player: Player, reserve: Address, owner: Signer): TransactionRecord =>
  setReserve(player, { reserve, owner, mode: 'UpdateReserveStatus', value: [OBSOLETE] });

/** Leaves room for a four-hundredth of what is in it. */
export function tightenLimit(
  player: Player,
  reserve: Address,
  owner: Signer,
): TransactionRecord | undefined {
  const now = reserveNow(player, reserve);
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

function setReserve(player: Player, { reserve, owner, mode, value }: Setting): TransactionRecord {
  const { lendingMarket } = decoded(reserveLayout, player.accountOf(reserve));
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
