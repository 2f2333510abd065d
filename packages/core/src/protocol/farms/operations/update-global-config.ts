import { addressFromBytes } from '../../../base/encoding/address.ts';
import { u64 } from '../../../base/encoding/layout.ts';
import { farmsRejection } from '../errors.ts';
import { farmsGlobalConfigModes } from '../instructions/global-config.ts';
import type { GlobalConfig } from '../layout/global-config.ts';

const MAX_FEE_BPS = 10_000n;

/** The `updateGlobalConfig` instruction. `value` has 32 bytes. */
export function updateGlobalConfig(
  config: GlobalConfig,
  mode: number,
  value: Uint8Array,
): GlobalConfig {
  const name = farmsGlobalConfigModes[mode];
  if (name === undefined) {
    throw farmsRejection('InvalidGlobalConfigMode', `there is no setting ${mode}`);
  }
  switch (name) {
    case 'SetPendingGlobalAdmin':
      return { ...config, pendingGlobalAdmin: addressFromBytes(value) };
    case 'SetTreasuryFeeBps': {
      const treasuryFeeBps = u64.decode(new DataView(value.buffer, value.byteOffset), 0);
      if (treasuryFeeBps > MAX_FEE_BPS) {
        throw farmsRejection(
          'InvalidConfigValue',
          `the fee of ${treasuryFeeBps} bps exceeds 100 %`,
        );
      }
      return { ...config, treasuryFeeBps };
    }
  }
}
