import { toAddress } from '#core/base/encoding/address.ts';
import { globalConfig } from '#core/protocol/kvault/layout/global-config.ts';
import { globalConfigAddress } from '#core/protocol/kvault/pda.ts';
import { SYSTEM_PROGRAM } from '#core/protocol/spl/programs.ts';
import { goldenVault } from '../golden/golden-addresses.ts';
import { numberedAddress } from '../protocol/codecs.ts';
import { VaultCluster } from './vault-cluster.ts';
import { vaultInstructionAccounts } from './vault-instructions.ts';

export const VAULT = goldenVault('Steady USDC').address;
export const USDC = toAddress('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
/** The admin of the vault in the golden data. */
export const ADMIN = toAddress('2da5wh8NUSM5uLLq4vDNgQieUnPAf7RuYiFZfTZ9YzAZ');
export const GLOBAL_ADMIN = numberedAddress(60);
export const OTHER = numberedAddress(61);

/** A vault whose admin, global admin and another wallet have SOL and 10,000 lamports of its token. */
export function administeredVault() {
  const cluster = new VaultCluster();
  for (const wallet of [ADMIN, GLOBAL_ADMIN, OTHER]) {
    cluster.accounts.set(wallet, {
      owner: SYSTEM_PROGRAM,
      lamports: 10n ** 10n,
      data: new Uint8Array(),
    });
    cluster.fund(wallet, USDC, 10_000n);
  }
  const config = globalConfig.decode(cluster.get(globalConfigAddress()));
  const data = globalConfig.encode({ ...config, globalAdmin: GLOBAL_ADMIN });
  cluster.accounts.set(globalConfigAddress(), { ...cluster.get(globalConfigAddress()), data });
  return { cluster, shared: vaultInstructionAccounts(cluster, VAULT) };
}
