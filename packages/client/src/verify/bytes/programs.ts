export const SYSTEM_PROGRAM = '11111111111111111111111111111111';
export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
export const TOKEN_PROGRAMS: readonly string[] = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM];
export const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
export const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111';
export const LOOKUP_TABLE_PROGRAM = 'AddressLookupTab1e1111111111111111111111111';
export const FARMS_PROGRAM = 'FarmsPZpWu9i7Kky8tPN37rs2TpmMrAZrC7S7vJa91Hr';

/** Mainnet, then staging. */
export const KLEND_PROGRAMS: readonly string[] = [
  'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD',
  'SLendK7ySfcEzyaFqy93gDnD3RtrpXJcnRwb6zFHJSh',
];

/** Mainnet, two staging deployments, devnet. */
export const KVAULT_PROGRAMS: readonly string[] = [
  'KvauGMspG5k6rtzrqqn7WNn3oZdyKqLKwK2XWQ8FLjd',
  'stKvQfwRsQiKnLtMNVLHKS3exFJmZFsgfzBPWHECUYK',
  'st2Kvh82VyY8JskVJi4PebU9vdnR14VsaEy6TWVzD1r',
  'devkRngFnfp4gBc5a3LsadgbQKdPo8MSZ4prFiNSVmY',
];

export const INSTRUCTIONS_SYSVAR = 'Sysvar1nstructions1111111111111111111111111';
export const RENT_SYSVAR = 'SysvarRent111111111111111111111111111111111';
export const WRAPPED_SOL_MINT = 'So11111111111111111111111111111111111111112';

/** Both mean that a reserve has no such oracle, farm or referrer. */
export const UNSET_ADDRESSES: readonly string[] = [
  SYSTEM_PROGRAM,
  'nu11111111111111111111111111111111111111111',
];
