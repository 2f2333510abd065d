import type { Address } from '../../base/encoding/address.ts';
import { wordAddress } from '../../base/solana/pda.ts';
import { TOKEN_METADATA_PROGRAM } from '../spl/programs.ts';
import { KVAULT_PROGRAM } from './program.ts';

export function baseVaultAuthority(vault: Address, program = KVAULT_PROGRAM): Address {
  return wordAddress('authority', [vault], program);
}

export function tokenVault(vault: Address, program = KVAULT_PROGRAM): Address {
  return wordAddress('token_vault', [vault], program);
}

export function sharesMint(vault: Address, program = KVAULT_PROGRAM): Address {
  return wordAddress('shares', [vault], program);
}

export function ctokenVault(vault: Address, reserve: Address, program = KVAULT_PROGRAM): Address {
  return wordAddress('ctoken_vault', [vault, reserve], program);
}

export function reserveWhitelistEntryAddress(reserve: Address, program = KVAULT_PROGRAM): Address {
  return wordAddress('whitelisted_reserves', [reserve], program);
}

export function globalConfigAddress(program = KVAULT_PROGRAM): Address {
  return wordAddress('global_config', [], program);
}

export function eventAuthority(program = KVAULT_PROGRAM): Address {
  return wordAddress('__event_authority', [], program);
}

/** Of the token metadata program, which keeps name and symbol of the shares. */
export function sharesMetadata(mint: Address): Address {
  return wordAddress('metadata', [TOKEN_METADATA_PROGRAM, mint], TOKEN_METADATA_PROGRAM);
}
