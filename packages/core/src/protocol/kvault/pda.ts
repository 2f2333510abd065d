import type { Address } from '../../base/encoding/address.ts';
import { deriveAddress } from '../../base/solana/pda.ts';
import { TOKEN_METADATA_PROGRAM } from '../spl/programs.ts';
import { KVAULT_PROGRAM } from './program.ts';

export function baseVaultAuthority(vault: Address, program = KVAULT_PROGRAM): Address {
  return deriveAddress('authority', [vault], program);
}

export function tokenVault(vault: Address, program = KVAULT_PROGRAM): Address {
  return deriveAddress('token_vault', [vault], program);
}

export function sharesMint(vault: Address, program = KVAULT_PROGRAM): Address {
  return deriveAddress('shares', [vault], program);
}

export function ctokenVault(vault: Address, reserve: Address, program = KVAULT_PROGRAM): Address {
  return deriveAddress('ctoken_vault', [vault, reserve], program);
}

export function reserveWhitelistEntryAddress(reserve: Address, program = KVAULT_PROGRAM): Address {
  return deriveAddress('whitelisted_reserves', [reserve], program);
}

export function globalConfigAddress(program = KVAULT_PROGRAM): Address {
  return deriveAddress('global_config', [], program);
}

export function eventAuthority(program = KVAULT_PROGRAM): Address {
  return deriveAddress('__event_authority', [], program);
}

/** The address of the token metadata with the name and symbol of the shares. */
export function sharesMetadata(mint: Address): Address {
  return deriveAddress('metadata', [TOKEN_METADATA_PROGRAM, mint], TOKEN_METADATA_PROGRAM);
}
