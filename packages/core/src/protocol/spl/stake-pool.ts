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
  /** Amounts at the last update of an earlier epoch; undefined in an account without them. */
  readonly previous: StakePoolAmounts | undefined;
};

type StakePoolAmounts = Pick<StakePool, 'totalLamports' | 'poolTokenSupply'>;

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

/** `poolMint` identifies the token. */
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
    previous: decodePrevious(source),
  };
}

const LOCKUP = 48;
const FEE = 16;
const REFERRAL_FEE = 1;

/** The fields between the epoch and the previous amounts, in order. An optional field has a tag before its value. */
const FIELDS_BEFORE_PREVIOUS: readonly { readonly size: number; readonly isOptional?: true }[] = [
  { size: LOCKUP },
  { size: FEE },
  { size: FEE, isOptional: true }, // next epoch fee
  { size: pubkey.size, isOptional: true }, // preferred deposit validator
  { size: pubkey.size, isOptional: true }, // preferred withdraw validator
  { size: FEE },
  { size: FEE },
  { size: FEE, isOptional: true }, // next stake withdrawal fee
  { size: REFERRAL_FEE },
  { size: pubkey.size, isOptional: true }, // SOL deposit authority
  { size: FEE },
  { size: REFERRAL_FEE },
  { size: pubkey.size, isOptional: true }, // SOL withdraw authority
  { size: FEE },
  { size: FEE, isOptional: true }, // next SOL withdrawal fee
];

function decodePrevious(source: DataView): StakePoolAmounts | undefined {
  let offset = FIXED_PART;
  for (const { size, isOptional } of FIELDS_BEFORE_PREVIOUS) {
    if (offset >= source.byteLength) return undefined;
    if (isOptional !== true) offset += size;
    else offset += source.getUint8(offset) === 0 ? 1 : 1 + size;
  }
  if (offset + 2 * u64.size > source.byteLength) return undefined;
  const poolTokenSupply = toLamports(u64.decode(source, offset));
  const totalLamports = toLamports(u64.decode(source, offset + u64.size));
  return poolTokenSupply === 0n ? undefined : { totalLamports, poolTokenSupply };
}

/** The exact SOL value of one pool token, without fees. Undefined for a pool without tokens. */
export function stakeRate({ totalLamports, poolTokenSupply }: StakePoolAmounts): Ratio | undefined {
  if (poolTokenSupply === 0n) return undefined;
  return { numerator: totalLamports, denominator: poolTokenSupply };
}
