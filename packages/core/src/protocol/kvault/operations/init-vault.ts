import { type Address, ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { kvaultRejection } from '../errors.ts';
import { type VaultState, vaultState } from '../layout/vault-state.ts';
import { type DepositEffects, depositToVault } from './deposit-to-vault.ts';
import type { VaultContext } from './refresh-vault.ts';

/** The accounts and decimals of a new vault. */
export type NewVault = Pick<
  VaultState,
  | 'vaultAdminAuthority'
  | 'tokenMint'
  | 'tokenMintDecimals'
  | 'tokenVault'
  | 'tokenProgram'
  | 'baseVaultAuthority'
  | 'baseVaultAuthorityBump'
  | 'sharesMint'
  | 'sharesMintDecimals'
>;

/** In lamports of the vault's token. */
const FIRST_DEPOSIT = 1_000n;

/**
 * The `initVault` instruction. The admin also becomes the allocation admin and pays the first deposit. Its shares are
 * counted but not minted, so that nobody can withdraw them.
 */
export function initVault(
  created: NewVault,
  { time, rules }: Pick<VaultContext, 'time' | 'rules'>,
): DepositEffects {
  if (created.vaultAdminAuthority === ZERO_ADDRESS) {
    throw kvaultRejection('AdminAuthorityIncorrect', 'the admin is the zero address');
  }
  if (created.tokenMintDecimals === 0n) {
    throw kvaultRejection('TokenMintDecimalsIncorrect', 'the token has no decimals');
  }
  const vault: VaultState = {
    ...emptyVault(),
    ...created,
    allocationAdmin: created.vaultAdminAuthority,
    creationTimestamp: time.unix,
    depositCap: toLamports(rules.unsetCap === 'zero' ? 0n : U64_MAX),
  };
  const exchanges = new Map<Address, never>();
  return depositToVault(vault, { exchanges, time, rules }, { maxAmount: FIRST_DEPOSIT });
}

const emptyVault = (): VaultState =>
  vaultState.body.decode(new DataView(new ArrayBuffer(vaultState.body.size)), 0);
