import { toAddress } from '../../base/encoding/address.ts';

export const KVAULT_PROGRAM = toAddress('KvauGMspG5k6rtzrqqn7WNn3oZdyKqLKwK2XWQ8FLjd');
/** Staging vaults on the mainnet lending program and on the staging lending program. */
export const KVAULT_STAGING_PROGRAM = toAddress('stKvQfwRsQiKnLtMNVLHKS3exFJmZFsgfzBPWHECUYK');
export const KVAULT_STAGING_ON_STAGING_PROGRAM = toAddress(
  'st2Kvh82VyY8JskVJi4PebU9vdnR14VsaEy6TWVzD1r',
);
export const KVAULT_DEVNET_PROGRAM = toAddress('devkRngFnfp4gBc5a3LsadgbQKdPo8MSZ4prFiNSVmY');

/** All deployments with these account layouts. */
export const KVAULT_PROGRAMS = [
  KVAULT_PROGRAM,
  KVAULT_STAGING_PROGRAM,
  KVAULT_STAGING_ON_STAGING_PROGRAM,
  KVAULT_DEVNET_PROGRAM,
];
