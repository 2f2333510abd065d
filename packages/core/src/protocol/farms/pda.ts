import { type Address, addressToBytes } from '../../base/encoding/address.ts';
import { deriveAddress, findProgramAddress } from '../../base/solana/pda.ts';
import { FARMS_PROGRAM } from './program.ts';

/** `delegatee` is the wallet, in a reserve farm the obligation, and for a vault one of the addresses below. */
export function userStateAddress(
  farm: Address,
  delegatee: Address,
  program = FARMS_PROGRAM,
): Address {
  return deriveAddress('user', [farm, delegatee], program);
}

type VaultFarmUser = { readonly vault: Address; readonly farm: Address; readonly user: Address };

/** The delegatee of a depositor in a vault's delegated farm. */
export function vaultFarmDelegatee(of: VaultFarmUser, program = FARMS_PROGRAM): Address {
  return findProgramAddress([of.vault, of.farm, of.user].map(addressToBytes), program).address;
}

type ReserveFarmUser = {
  readonly reserve: Address;
  readonly vault: Address;
  readonly user: Address;
};

/** The delegatee of a vault depositor in the supply farm of a reserve that the vault lends to. */
export function reserveFarmDelegatee(of: ReserveFarmUser, program = FARMS_PROGRAM): Address {
  return findProgramAddress([of.reserve, of.vault, of.user].map(addressToBytes), program).address;
}

/** A delegated farm has none because it holds no tokens. */
export function farmVault(farm: Address, stakedMint: Address, program = FARMS_PROGRAM): Address {
  return deriveAddress('fvault', [farm, stakedMint], program);
}

export function farmVaultsAuthority(farm: Address, program = FARMS_PROGRAM): Address {
  return deriveAddress('authority', [farm], program);
}

export function rewardVault(farm: Address, rewardMint: Address, program = FARMS_PROGRAM): Address {
  return deriveAddress('rvault', [farm, rewardMint], program);
}

export function treasuryVault(
  globalConfig: Address,
  rewardMint: Address,
  program = FARMS_PROGRAM,
): Address {
  return deriveAddress('tvault', [globalConfig, rewardMint], program);
}

export function treasuryVaultsAuthority(globalConfig: Address, program = FARMS_PROGRAM): Address {
  return deriveAddress('authority', [globalConfig], program);
}
