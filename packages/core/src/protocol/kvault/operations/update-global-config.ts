import { type Address, addressFromBytes } from '../../../base/encoding/address.ts';
import { pubkey, u64 } from '../../../base/encoding/layout.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import { kvaultRejection } from '../errors.ts';
import { globalConfigModes } from '../instructions/update-global-config.ts';
import type { GlobalConfig } from '../layout/global-config.ts';
import { MAX_PENALTY_BPS, MAX_PENALTY_LAMPORTS } from '../vault-config.ts';

export type GlobalConfigUpdate =
  | { readonly mode: 'PendingAdmin'; readonly value: Address }
  | {
      readonly mode: Exclude<(typeof globalConfigModes)[number], 'PendingAdmin'>;
      readonly value: bigint;
    };

/** Undefined for an unknown mode and for truncated data. The program ignores trailing bytes. */
export function decodeGlobalConfigUpdate(
  mode: number,
  data: Uint8Array,
): GlobalConfigUpdate | undefined {
  const name = globalConfigModes[mode];
  if (name === undefined) return undefined;
  if (name === 'PendingAdmin') {
    if (data.length < pubkey.size) return undefined;
    return { mode: name, value: addressFromBytes(data.slice(0, pubkey.size)) };
  }
  if (data.length < u64.size) return undefined;
  return { mode: name, value: u64.decode(new DataView(data.buffer, data.byteOffset), 0) };
}

/** The `updateGlobalConfig` instruction. */
export function updateGlobalConfig(config: GlobalConfig, update: GlobalConfigUpdate): GlobalConfig {
  switch (update.mode) {
    case 'PendingAdmin':
      return { ...config, pendingAdmin: update.value };
    case 'MinWithdrawalPenaltyLamports':
      checkLimit(update, MAX_PENALTY_LAMPORTS);
      return { ...config, withdrawalPenaltyLamports: toLamports(update.value) };
    case 'MinWithdrawalPenaltyBPS':
      checkLimit(update, MAX_PENALTY_BPS);
      return { ...config, withdrawalPenaltyBps: update.value };
  }
}

function checkLimit(
  { mode, value }: { readonly mode: string; readonly value: bigint },
  { max, error }: typeof MAX_PENALTY_BPS,
): void {
  if (value <= max) return;
  throw kvaultRejection(error, `${mode} is ${value}, but the maximum is ${max}`);
}
