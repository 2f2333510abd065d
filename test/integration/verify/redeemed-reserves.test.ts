import { expect, test } from 'vitest';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import type { AmountOrAll } from '#core/builders/build.ts';
import { editCall, littleEndian, nameOf } from '../../support/verify/edit-build.ts';
import { withdrawalBuildOf } from '../../support/verify/random-verified-builds.ts';
import {
  type VerifiedBuild,
  verifyBuild,
  withinPacket,
} from '../../support/verify/verified-build.ts';

const UNIT = 1_000_000n;

/** A vault that lends 100 tokens to each of two reserves, and 50 to a third; its 250 shares are the wallet's. */
async function buildOf(shares: AmountOrAll): Promise<VerifiedBuild> {
  const lent = [100n, 100n, 50n].map((tokens) => tokens * UNIT);
  const build = await withdrawalBuildOf({
    vault: {
      holdings: lent.map((minted) => ({
        ...{ available: minted, borrowed: 0n, minted, ctokens: minted },
      })),
      vault: {
        tokenAvailable: toLamports(0n),
        sharesIssued: 250n * UNIT,
        prevAumSf: sfFromInt(250n * UNIT),
      },
      holder: { loose: 250n * UNIT, staked: 0n, tokens: 0n },
    },
    unstaked: 250n * UNIT,
    staked: 0n,
    shares,
  });
  const sendable = build && withinPacket(build);
  if (sendable === undefined) throw new Error('nothing to withdraw');
  return withTerms(sendable, { mayBePartial: false });
}

const withTerms = (build: VerifiedBuild, terms: object): VerifiedBuild => ({
  ...build,
  request: { ...build.request, ...terms } as VerifiedBuild['request'],
});

const codesOf = async (build: VerifiedBuild): Promise<readonly string[]> =>
  (await verifyBuild(build)).reasons.map(({ code }) => code);

const isRedemption = (name: string | undefined): boolean => name === 'withdraw';

/** Without the first redemptions: the last one takes what is left of the requested shares. */
function onlyLast(build: VerifiedBuild, shares: bigint): VerifiedBuild {
  const names = build.instructions.map(nameOf);
  const last = names.findLastIndex(isRedemption);
  const instructions = build.instructions.filter((_, i) => !isRedemption(names[i]) || i === last);
  const changed = editCall({ ...build, instructions }, 'withdraw', (call) => ({
    ...call,
    data: Uint8Array.from([...call.data.slice(0, 8), ...littleEndian(shares, 8)]),
  }));
  if (changed === undefined) throw new Error('nothing was changed');
  return changed;
}

const U64_MAX = (1n << 64n) - 1n;

test('everything is not redeemed from a reserve that holds a part', async () => {
  const build = await buildOf('all');
  expect(build.instructions.map(nameOf).filter(isRedemption)).toHaveLength(3);
  expect(await codesOf(build)).toEqual([]);
  const part = onlyLast(build, U64_MAX);
  expect(await codesOf(part)).toEqual(['WRONG_AMOUNT']);
  expect(await codesOf(withTerms(part, { mayBePartial: true }))).toEqual([]);
});

test('the least shares of a partial withdrawal count what the reserves hold', async () => {
  const part = onlyLast(await buildOf('all'), U64_MAX);
  const partial = { mayBePartial: true };
  expect(await codesOf(withTerms(part, { ...partial, minShares: '49' }))).toEqual([]);
  expect(await codesOf(withTerms(part, { ...partial, minShares: '60' }))).toEqual(['WRONG_AMOUNT']);
});

test('a number of shares is not redeemed from a reserve that holds less', async () => {
  const build = await buildOf(240n * UNIT);
  expect(await codesOf(build)).toEqual([]);
  const part = onlyLast(build, 240n * UNIT);
  expect(await codesOf(part)).toEqual(['WRONG_AMOUNT']);
  expect(await codesOf(withTerms(part, { mayBePartial: true }))).toEqual([]);
  const partial = { mayBePartial: true, minShares: '100' };
  expect(await codesOf(withTerms(part, partial))).toEqual(['WRONG_AMOUNT']);
});

test('the least shares of an exit count what the reserves hold', async () => {
  const build = await buildOf('all');
  const { wallet } = build;
  const kvault = 'kvault' in build.request ? (build.request.kvault ?? '') : '';
  const exitOf = (each: VerifiedBuild, terms: object): VerifiedBuild => ({
    ...each,
    request: { operation: 'vault-exit', wallet, kvault, ...terms },
  });
  expect(await codesOf(exitOf(build, { minShares: '249' }))).toEqual([]);
  const part = onlyLast(build, U64_MAX);
  expect(await codesOf(exitOf(part, {}))).toEqual(['WRONG_AMOUNT']);
  expect(await codesOf(exitOf(part, { mayBePartial: true }))).toEqual([]);
  const limited = { mayBePartial: true, minShares: '60' };
  expect(await codesOf(exitOf(part, limited))).toEqual(['WRONG_AMOUNT']);
});
