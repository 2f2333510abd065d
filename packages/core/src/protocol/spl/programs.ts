import { toAddress, ZERO_ADDRESS } from '../../base/encoding/address.ts';

export const TOKEN_PROGRAM = toAddress('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
export const TOKEN_2022_PROGRAM = toAddress('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');

export const ASSOCIATED_TOKEN_PROGRAM = toAddress('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
export const SYSTEM_PROGRAM = ZERO_ADDRESS;
export const COMPUTE_BUDGET_PROGRAM = toAddress('ComputeBudget111111111111111111111111111111');
export const ADDRESS_LOOKUP_TABLE_PROGRAM = toAddress(
  'AddressLookupTab1e1111111111111111111111111',
);
export const MEMO_PROGRAM = toAddress('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
/** The first version, which only checks that the memo is UTF-8. */
export const MEMO_V1_PROGRAM = toAddress('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo');
export const TOKEN_METADATA_PROGRAM = toAddress('metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s');

export const INSTRUCTIONS_SYSVAR = toAddress('Sysvar1nstructions1111111111111111111111111');
export const RENT_SYSVAR = toAddress('SysvarRent111111111111111111111111111111111');

export const WRAPPED_SOL_MINT = toAddress('So11111111111111111111111111111111111111112');
