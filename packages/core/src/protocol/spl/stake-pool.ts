import { type Address, toAddress } from '../../base/encoding/address.ts';
import { pubkey, u64 } from '../../base/encoding/layout.ts';
import { CodedError } from '../../base/errors.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import { type Lamports, toLamports } from '../../base/numbers/lamports.ts';
import type { RawAccount } from '../../base/solana/account.ts';

/** The fields of a stake pool that determine the value of its token. */
export type StakePool = {
  readonly poolMint: Address;
  readonly totalLamports: Lamports;
  readonly poolTokenSupply: Lamports;
  /** The epoch of the rate. A pool is updated once per epoch. */
  readonly lastUpdateEpoch: bigint;
};

/** Three deployments of one program: by its authors, and two for Sanctum's pools. */
const STAKE_POOL_PROGRAMS = [
  toAddress('SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy'),
  toAddress('SP12tWFxD9oJsVWNavTTBZvMbA6gkAmxtVgxdqvyvhY'),
  toAddress('SPMBzsVUuoHA4Jm6KunbsotaahvVikZs1JyTW6iJvbn'),
];

const NAME = 'stakePool.StakePool';
/** The account type in the first byte. */
const STAKE_POOL = 1;
const POOL_MINT = 162;
const TOTAL_LAMPORTS = 258;
const POOL_TOKEN_SUPPLY = 266;
const LAST_UPDATE_EPOCH = 274;
const FIXED_PART = LAST_UPDATE_EPOCH + u64.size;

/** `poolMint` identifies the token. The fields after these have no fixed offset. */
export function decodeStakePool({ owner, data }: RawAccount): StakePool {
  if (!STAKE_POOL_PROGRAMS.includes(owner)) {
    throw new CodedError('ACCOUNT_WRONG_OWNER', { account: NAME, owner });
  }
  if (data.length < FIXED_PART) {
    const accepts = `at least ${FIXED_PART}`;
    throw new CodedError('ACCOUNT_WRONG_SIZE', { account: NAME, size: data.length, accepts });
  }
  if (data[0] !== STAKE_POOL)
    throw new CodedError('ACCOUNT_WRONG_DISCRIMINATOR', { account: NAME });
  const source = new DataView(data.buffer, data.byteOffset, data.length);
  return {
    poolMint: pubkey.decode(source, POOL_MINT),
    totalLamports: toLamports(u64.decode(source, TOTAL_LAMPORTS)),
    poolTokenSupply: toLamports(u64.decode(source, POOL_TOKEN_SUPPLY)),
    lastUpdateEpoch: u64.decode(source, LAST_UPDATE_EPOCH),
  };
}

/** The exact SOL value of one pool token, without fees. Undefined for a pool without tokens. */
export function stakeRate({ totalLamports, poolTokenSupply }: StakePool): Ratio | undefined {
  if (poolTokenSupply === 0n) return undefined;
  return { numerator: totalLamports, denominator: poolTokenSupply };
}
