import { expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { addressToBytes, toAddress, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { decodeStakePool, stakeRate } from './stake-pool.ts';

const owner = toAddress('SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy');
const mint = toAddress('J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn');

function pool(size = 611): Uint8Array {
  const data = new Uint8Array(size);
  const view = new DataView(data.buffer);
  data[0] = 1;
  data.set(addressToBytes(mint), 162);
  view.setBigUint64(258, 1_135n, true);
  view.setBigUint64(266, 1_000n, true);
  view.setBigUint64(274, 700n, true);
  return data;
}

test('decodes the mint, lamports, supply and epoch of a pool', () => {
  expect(decodeStakePool({ owner, data: pool() })).toEqual({
    poolMint: mint,
    totalLamports: 1_135n,
    poolTokenSupply: 1_000n,
    lastUpdateEpoch: 700n,
    previous: undefined,
  });
});

/** Offsets of the tags of the seven optional fields while all are absent, by the struct of the program. */
const TAGS = { nextEpochFee: 346, preferredDeposit: 347, nextSolWithdrawalFee: 418 };

test('the amounts of the previous epoch follow the optional fields', () => {
  const absent = pool();
  new DataView(absent.buffer).setBigUint64(419, 900n, true);
  new DataView(absent.buffer).setBigUint64(427, 1_001n, true);
  const previous = { poolTokenSupply: 900n, totalLamports: 1_001n };
  expect(decodeStakePool({ owner, data: absent }).previous).toEqual(previous);
  const present = pool();
  present[TAGS.nextEpochFee] = 2;
  present[TAGS.preferredDeposit + 16] = 1;
  present[TAGS.nextSolWithdrawalFee + 16 + 32] = 1;
  const offset = 419 + 16 + 32 + 16;
  new DataView(present.buffer).setBigUint64(offset, 900n, true);
  new DataView(present.buffer).setBigUint64(offset + 8, 1_001n, true);
  expect(decodeStakePool({ owner, data: present }).previous).toEqual(previous);
  expect(decodeStakePool({ owner, data: pool(300) }).previous).toBeUndefined();
});

test('the rate is the exact ratio of SOL and tokens, and undefined without tokens', () => {
  const decoded = decodeStakePool({ owner, data: pool() });
  expect(stakeRate(decoded)).toEqual({ numerator: 1_135n, denominator: 1_000n });
  const empty = pool();
  new DataView(empty.buffer).setBigUint64(266, 0n, true);
  expect(stakeRate(decodeStakePool({ owner, data: empty }))).toBeUndefined();
});

test('another owner, another account type and truncated data throw', () => {
  expect(catchError(() => decodeStakePool({ owner: ZERO_ADDRESS, data: pool() }))?.code).toBe(
    'ACCOUNT_WRONG_OWNER',
  );
  expect(catchError(() => decodeStakePool({ owner, data: pool().with(0, 2) }))?.code).toBe(
    'ACCOUNT_WRONG_DISCRIMINATOR',
  );
  expect(catchError(() => decodeStakePool({ owner, data: pool(282).slice(0, 281) }))?.code).toBe(
    'ACCOUNT_WRONG_SIZE',
  );
});
