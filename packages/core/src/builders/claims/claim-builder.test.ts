import { describe, expect, test } from 'vitest';
import {
  buildFromInputs,
  loadExampleContext,
} from '../../../../../test/support/builders/load-build-context.ts';
import { errorCode } from '../../../../../test/support/errors/catch-error.ts';
import { firstOfTen } from '../../../../../test/support/farms/farm-accounts.ts';
import { formatInstruction } from '../../../../../test/support/flows/expected-differences.ts';
import { exampleAddress } from '../../../../../test/support/lending/example-lending.ts';
import { NOW } from '../../../../../test/support/lending/lending-accounts.ts';
import {
  EXAMPLE_VAULT,
  type ExampleVaultOptions,
  exampleVaultAccounts,
  farmToken,
  HOLDER,
  holderTokenAccount,
  REWARD_MINT,
  SHARE_FARM,
} from '../../../../../test/support/vaults/example-vault-accounts.ts';
import { toLamports } from '../../base/numbers/lamports.ts';
import { userState } from '../../protocol/farms/layout/user-state.ts';
import { userStateAddress, vaultFarmDelegatee } from '../../protocol/farms/pda.ts';
import { WRAPPED_SOL_MINT } from '../../protocol/spl/programs.ts';
import type { Build } from '../build.ts';
import { simulateClaim } from '../simulation/simulate-claim.ts';
import { claimBuilder } from './claim-builder.ts';

const request = { wallet: HOLDER, vault: EXAMPLE_VAULT };

const claim = (made: ExampleVaultOptions): Build =>
  buildFromInputs(claimBuilder, request, exampleVaultAccounts(made));

const forecast = (made: ExampleVaultOptions) =>
  simulateClaim(
    request,
    loadExampleContext(claimBuilder, request, exampleVaultAccounts(made)).scene,
  );

/** A thousand of the first reward wait; a tenth is the treasury's. */
const earned = { rewardsIssuedUnclaimed: firstOfTen(toLamports(1_000n), toLamports(0n)) };
const saver = { staked: 5_000n, user: earned };
const issued = { rewardsIssuedUnclaimed: toLamports(1_000_000n) };
const waiting: ExampleVaultOptions = { farm: {}, rewards: [issued], saver };

describe('rewards for shares of a vault', () => {
  test('are claimed into an account that is created where it is missing', () => {
    const { instructions, plan } = claim(waiting);
    expect(instructions.map(formatInstruction)).toEqual(['createIdempotent', 'harvestReward(0)']);
    expect(instructions[1]?.accounts.slice(0, 3)).toEqual([
      { address: HOLDER, role: 3 },
      { address: userStateAddress(SHARE_FARM, HOLDER), role: 1 },
      { address: SHARE_FARM, role: 1 },
    ]);
    expect(instructions[1]?.accounts[5]?.address).toBe(holderTokenAccount(REWARD_MINT, 0n)[0]);
    expect(plan.receives).toEqual([
      { mint: REWARD_MINT, decimals: 6, amount: 900n, certainty: 'at least' },
    ]);
    expect(plan.rentLamports).toBe(2_039_280n);
    const has = claim({ ...waiting, more: [holderTokenAccount(REWARD_MINT, 0n)] });
    expect(has.instructions.map(formatInstruction)).toEqual(['harvestReward(0)']);
  });

  test('count up to the state’s time', () => {
    // ten a second for a hundred seconds, half of it for half of the stake
    const rewards = [{ ...issued, lastIssuanceTs: NOW - 100n }];
    expect(claim({ ...waiting, rewards }).plan.receives).toMatchObject([{ amount: 1_350n }]);
  });

  test('wait for the least time between two claims, and are told of', () => {
    const user = { ...earned, lastClaimTs: firstOfTen(NOW - 40n, 0n) };
    const rewards = [{ ...issued, minClaimDurationSeconds: 60n }];
    const early = { ...waiting, rewards, saver: { staked: 5_000n, user } };
    expect(() => claim(early)).toThrow(
      `There is nothing to claim for the vault Made now. 0.0009 ${REWARD_MINT} for shares of Made can be claimed in 20 seconds.`,
    );
    const both = {
      ...early,
      rewards: [...rewards, { ...issued, token: farmToken(exampleAddress('second')) }],
      saver: {
        staked: 5_000n,
        user: { ...user, rewardsIssuedUnclaimed: [7n, 8n, ...Array(8).fill(0n)].map(toLamports) },
      },
    };
    const { instructions, plan } = claim(both);
    expect(instructions.map(formatInstruction)).toEqual(['createIdempotent', 'harvestReward(1)']);
    expect(plan.notes).toEqual([
      `0.000007 ${REWARD_MINT} for shares of Made can be claimed in 20 seconds.`,
    ]);
  });

  test('of one token from several places go into one account', () => {
    const user = { rewardsIssuedUnclaimed: [7n, 8n, ...Array(8).fill(0n)].map(toLamports) };
    const made = { ...waiting, rewards: [issued, issued], saver: { staked: 5_000n, user } };
    const { instructions, plan } = claim(made);
    expect(instructions.map(formatInstruction)).toEqual([
      'createIdempotent',
      'harvestReward(0)',
      'harvestReward(1)',
    ]);
    expect(plan.receives).toMatchObject([{ mint: REWARD_MINT, amount: 15n }]);
    expect(forecast(made)).toMatchObject({ tokens: [{ change: 15n }], lamports: -2_039_280n });
  });

  test('in SOL arrive as SOL', () => {
    const rewards = [{ ...issued, token: farmToken(WRAPPED_SOL_MINT) }];
    const { instructions, plan } = claim({ ...waiting, rewards });
    expect(instructions.map(formatInstruction)).toEqual([
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
    const more = [holderTokenAccount(WRAPPED_SOL_MINT, 50n)];
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
    const user = { ...earned, rewardsTallyScaled: firstOfTen(10n ** 18n, 0n) };
    expect(() => claim({ ...waiting, saver: { staked: 5_000n, user } })).toThrow(
      `The ${REWARD_MINT} for shares of Made cannot be claimed now. Ask again in a moment.`,
    );
  });

  test('are claimed for the depositor that a delegated farm counts for', () => {
    const delegatee = vaultFarmDelegatee({ vault: EXAMPLE_VAULT, farm: SHARE_FARM, user: HOLDER });
    const own = exampleVaultAccounts(waiting).accounts.get(userStateAddress(SHARE_FARM, HOLDER));
    if (own === undefined) throw new Error('no stake was made');
    const data = userState.encode({ ...userState.decode(own), delegatee });
    const state = userStateAddress(SHARE_FARM, delegatee);
    const more = [[state, { ...own, data }] as const];
    const { instructions } = claim({
      ...waiting,
      farm: { delegateAuthority: REWARD_MINT },
      saver: {},
      more,
    });
    expect(instructions[1]?.accounts[1]?.address).toBe(state);
  });

  test('that belong to somebody else are left alone', () => {
    const user = { ...earned, owner: REWARD_MINT };
    expect(errorCode(() => claim({ ...waiting, saver: { staked: 5_000n, user } }))).toBe(
      'NOTHING_TO_BUILD',
    );
  });

  test('there are none without a stake, a farm, or anything earned', () => {
    expect(errorCode(() => claim({ farm: {} }))).toBe('NOTHING_TO_BUILD');
    expect(errorCode(() => claim({}))).toBe('NOTHING_TO_BUILD');
    expect(errorCode(() => claim({ farm: {}, saver: { staked: 5n } }))).toBe('NOTHING_TO_BUILD');
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
