import { describe, expect, test } from 'vitest';
import { buildFrom, readScene } from '../../../../../test/support/builders/load-build-context.ts';
import { codeOf } from '../../../../../test/support/errors/catch-error.ts';
import { first } from '../../../../../test/support/farms/farm-accounts.ts';
import { textOf } from '../../../../../test/support/flows/expected-differences.ts';
import { madeAddress } from '../../../../../test/support/lending/example-lending.ts';
import { NOW } from '../../../../../test/support/lending/lending-accounts.ts';
import {
  farmToken,
  MADE_FARM,
  MADE_VAULT,
  type MadeVault,
  madeVault,
  REWARD,
  SAVER,
  tokenOf,
} from '../../../../../test/support/vaults/example-vault-accounts.ts';
import { toLamports } from '../../base/numbers/lamports.ts';
import { userState } from '../../protocol/farms/layout/user-state.ts';
import { userStateAddress, vaultFarmDelegatee } from '../../protocol/farms/pda.ts';
import { WRAPPED_SOL_MINT } from '../../protocol/spl/programs.ts';
import type { Build } from '../build.ts';
import { forecastClaim } from '../simulation/simulate-claim.ts';
import { claimRewards } from './claim-builder.ts';

const request = { wallet: SAVER, vault: MADE_VAULT };

const claim = (made: MadeVault): Build => buildFrom(claimRewards, request, madeVault(made));

const forecast = (made: MadeVault) =>
  forecastClaim(request, readScene(claimRewards, request, madeVault(made)).scene);

/** A thousand of the first reward wait; a tenth is the treasury's. */
const earned = { rewardsIssuedUnclaimed: first(toLamports(1_000n), toLamports(0n)) };
const saver = { staked: 5_000n, user: earned };
const issued = { rewardsIssuedUnclaimed: toLamports(1_000_000n) };
const waiting: MadeVault = { farm: {}, rewards: [issued], saver };

describe('rewards for shares of a vault', () => {
  test('are claimed into an account that is created where it is missing', () => {
    const { instructions, plan } = claim(waiting);
    expect(instructions.map(textOf)).toEqual(['createIdempotent', 'harvestReward(0)']);
    expect(instructions[1]?.accounts.slice(0, 3)).toEqual([
      { address: SAVER, role: 3 },
      { address: userStateAddress(MADE_FARM, SAVER), role: 1 },
      { address: MADE_FARM, role: 1 },
    ]);
    expect(instructions[1]?.accounts[5]?.address).toBe(tokenOf(REWARD, 0n)[0]);
    expect(plan.receives).toEqual([
      { mint: REWARD, decimals: 6, amount: 900n, certainty: 'at least' },
    ]);
    expect(plan.rentLamports).toBe(2_039_280n);
    const has = claim({ ...waiting, more: [tokenOf(REWARD, 0n)] });
    expect(has.instructions.map(textOf)).toEqual(['harvestReward(0)']);
  });

  test('count up to the state’s time', () => {
    // ten a second for a hundred seconds, half of it for half of the stake
    const rewards = [{ ...issued, lastIssuanceTs: NOW - 100n }];
    expect(claim({ ...waiting, rewards }).plan.receives).toMatchObject([{ amount: 1_350n }]);
  });

  test('wait for the least time between two claims, and are told of', () => {
    const user = { ...earned, lastClaimTs: first(NOW - 40n, 0n) };
    const rewards = [{ ...issued, minClaimDurationSeconds: 60n }];
    const early = { ...waiting, rewards, saver: { staked: 5_000n, user } };
    expect(() => claim(early)).toThrow(
      `There is nothing to claim for the vault Made now. 0.0009 ${REWARD} for shares of Made can be claimed in 20 seconds.`,
    );
    const both = {
      ...early,
      rewards: [...rewards, { ...issued, token: farmToken(madeAddress('second')) }],
      saver: {
        staked: 5_000n,
        user: { ...user, rewardsIssuedUnclaimed: [7n, 8n, ...Array(8).fill(0n)].map(toLamports) },
      },
    };
    const { instructions, plan } = claim(both);
    expect(instructions.map(textOf)).toEqual(['createIdempotent', 'harvestReward(1)']);
    expect(plan.notes).toEqual([
      `0.000007 ${REWARD} for shares of Made can be claimed in 20 seconds.`,
    ]);
  });

  test('of one token from several places go into one account', () => {
    const user = { rewardsIssuedUnclaimed: [7n, 8n, ...Array(8).fill(0n)].map(toLamports) };
    const made = { ...waiting, rewards: [issued, issued], saver: { staked: 5_000n, user } };
    const { instructions, plan } = claim(made);
    expect(instructions.map(textOf)).toEqual([
      'createIdempotent',
      'harvestReward(0)',
      'harvestReward(1)',
    ]);
    expect(plan.receives).toMatchObject([{ mint: REWARD, amount: 15n }]);
    expect(forecast(made)).toMatchObject({ tokens: [{ change: 15n }], lamports: -2_039_280n });
  });

  test('in SOL arrive as SOL', () => {
    const rewards = [{ ...issued, token: farmToken(WRAPPED_SOL_MINT) }];
    const { instructions, plan } = claim({ ...waiting, rewards });
    expect(instructions.map(textOf)).toEqual([
      'createIdempotent',
      'harvestReward(0)',
      'closeAccount',
    ]);
    expect(plan.closes).toMatchObject([{ refundLamports: 2_039_280n + 900n }]);
    expect(forecast({ ...waiting, rewards })).toEqual({
      failure: undefined,
      tokens: [],
      lamports: 900n,
    });
    const more = [tokenOf(WRAPPED_SOL_MINT, 50n)];
    expect(claim({ ...waiting, rewards, more }).plan.notes).toEqual([
      "The wallet's 0.00000005 SOL that were wrapped before are unwrapped together with it.",
    ]);
    expect(forecast({ ...waiting, rewards, more })).toMatchObject({
      tokens: [{ change: -50n }],
      lamports: 2_039_280n + 50n + 900n,
    });
  });

  test('that the farm cannot count now are told of', () => {
    const made = {
      ...waiting,
      farm: { scopeOraclePriceId: 3n },
      rewards: [{ ...issued, lastIssuanceTs: NOW - 1n }],
    };
    expect(() => claim(made)).toThrow(/6046 \(MissingScopePrices\)/);
  });

  test('of a stake that is newer than what is known of its farm have to wait', () => {
    const user = { ...earned, rewardsTallyScaled: first(10n ** 18n, 0n) };
    expect(() => claim({ ...waiting, saver: { staked: 5_000n, user } })).toThrow(
      `The ${REWARD} for shares of Made cannot be claimed now. Ask again in a moment.`,
    );
  });

  test('are claimed for the depositor that a delegated farm counts for', () => {
    const delegatee = vaultFarmDelegatee({ vault: MADE_VAULT, farm: MADE_FARM, user: SAVER });
    const own = madeVault(waiting).accounts.get(userStateAddress(MADE_FARM, SAVER));
    if (own === undefined) throw new Error('no stake was made');
    const data = userState.encode({ ...userState.decode(own), delegatee });
    const state = userStateAddress(MADE_FARM, delegatee);
    const more = [[state, { ...own, data }] as const];
    const { instructions } = claim({
      ...waiting,
      farm: { delegateAuthority: REWARD },
      saver: {},
      more,
    });
    expect(instructions[1]?.accounts[1]?.address).toBe(state);
  });

  test('that belong to somebody else are left alone', () => {
    const user = { ...earned, owner: REWARD };
    expect(codeOf(() => claim({ ...waiting, saver: { staked: 5_000n, user } }))).toBe(
      'NOTHING_TO_BUILD',
    );
  });

  test('there are none without a stake, a farm, or anything earned', () => {
    expect(codeOf(() => claim({ farm: {} }))).toBe('NOTHING_TO_BUILD');
    expect(codeOf(() => claim({}))).toBe('NOTHING_TO_BUILD');
    expect(codeOf(() => claim({ farm: {}, saver: { staked: 5n } }))).toBe('NOTHING_TO_BUILD');
  });

  test('the forecast says what the farm refuses', () => {
    // more is claimed than the farm has issued
    const { failure, tokens } = forecast({ farm: {}, saver });
    expect(failure).toMatchObject({ program: 'farms', code: 6012, name: 'IntegerOverflow' });
    expect(tokens).toEqual([]);
    const poor = { ...saver, lamports: 1n };
    expect(forecast({ ...waiting, saver: poor }).failure?.program).toBe('system');
  });
});
