import type { Address, RawAccount } from '@tidegate/core/base';
import { decodeStakePool, type StakePool } from '@tidegate/core/protocol/spl';
import { hasCode } from '../../errors.ts';

const UNDECODABLE = [
  'ACCOUNT_WRONG_OWNER',
  'ACCOUNT_WRONG_SIZE',
  'ACCOUNT_WRONG_DISCRIMINATOR',
] as const;

/** Undefined for a pool that does not decode, or that is the pool of another token: it has no rate. */
export function decodeStakePoolOf(mint: Address, account: RawAccount): StakePool | undefined {
  try {
    const pool = decodeStakePool(account);
    return pool.poolMint === mint ? pool : undefined;
  } catch (error) {
    if (UNDECODABLE.some((code) => hasCode(error, code))) return undefined;
    throw error;
  }
}
