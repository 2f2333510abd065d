import { describe, expect, test } from 'vitest';
import {
  buildFromInputs,
  loadExampleContext,
} from '../../../../../test/support/builders/load-build-context.ts';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { firstOfTen, schedule } from '../../../../../test/support/farms/farm-accounts.ts';
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

const claim = (options: ExampleVaultOptions): Build =>
  buildFromInputs(claimBuilder, request, exampleVaultAccounts(options));

const preview = (options: ExampleVaultOptions) =>
  simulateClaim(
    request,
    loadExampleContext(claimBuilder, request, exampleVaultAccounts(options)).context,
  );

/** 1000 units of the first reward are unclaimed; the treasury takes a tenth. */
const earned = { rewardsIssuedUnclaimed: firstOfTen(toLamports(1_000n), toLamports(0n)) };
const holder = { staked: 5_000n, user: earned };
const issued = { rewardsIssuedUnclaimed: toLamports(1_000_000n) };
const claimable: ExampleVaultOptions = { farm: {}, rewards: [issued], holder };

describe('rewards for shares of a vault', () => {
  test('are claimed into the token account, which is created if missing', () => {
    const { instructions, plan } = claim(claimable);
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
    const existing = claim({ ...claimable, more: [holderTokenAccount(REWARD_MINT, 0n)] });
    expect(existing.instructions.map(formatInstruction)).toEqual(['harvestReward(0)']);
  });

  test('are named by their symbol, also if no reserve lends the token', () => {
    const symbolOf = (mint: string) => (mint === REWARD_MINT ? 'KMNO' : null);
    const { plan } = buildFromInputs(claimBuilder, request, {
      ...exampleVaultAccounts(claimable),
      symbolOf,
    });
    expect(plan.summary).toBe('Claim 0.0009 KMNO for the vault “Made”.');
    expect(plan.steps.at(-1)?.why).toBe('Claim KMNO for shares of “Made”.');
    expect(plan.creates.map(({ what }) => what).join()).not.toContain(REWARD_MINT);
    expect(claim(claimable).plan.summary).toBe(`Claim 0.0009 ${REWARD_MINT} for the vault “Made”.`);
  });

  test('accrue until the time of the state', () => {
    // Ten per second for 100 seconds, half of it for half of the stake.
    const rewards = [{ ...issued, lastIssuanceTs: NOW - 100n }];
    expect(claim({ ...claimable, rewards }).plan.receives).toMatchObject([{ amount: 1_350n }]);
  });

  test('that are not claimable yet are listed in the notes', () => {
    const user = { ...earned, lastClaimTs: firstOfTen(NOW - 40n, 0n) };
    const rewards = [{ ...issued, minClaimDurationSeconds: 60n }];
    const early = { ...claimable, rewards, holder: { staked: 5_000n, user } };
    expect(() => claim(early)).toThrow(
      `Nothing can be claimed for the vault “Made” now. 0.0009 ${REWARD_MINT} for shares of “Made” can be claimed in 20 seconds.`,
    );
    const both = {
      ...early,
      rewards: [...rewards, { ...issued, token: farmToken(exampleAddress('second')) }],
      holder: {
        staked: 5_000n,
        user: { ...user, rewardsIssuedUnclaimed: [7n, 8n, ...Array(8).fill(0n)].map(toLamports) },
      },
    };
    const { instructions, plan } = claim(both);
    expect(instructions.map(formatInstruction)).toEqual(['createIdempotent', 'harvestReward(1)']);
    expect(plan.notes).toEqual([
      `0.000007 ${REWARD_MINT} for shares of “Made” can be claimed in 20 seconds.`,
    ]);
  });

  test('in one token from several rewards go into one account', () => {
    const user = { rewardsIssuedUnclaimed: [7n, 8n, ...Array(8).fill(0n)].map(toLamports) };
    const options = { ...claimable, rewards: [issued, issued], holder: { staked: 5_000n, user } };
    const { instructions, plan } = claim(options);
    expect(instructions.map(formatInstruction)).toEqual([
      'createIdempotent',
      'harvestReward(0)',
      'harvestReward(1)',
    ]);
    expect(plan.receives).toMatchObject([{ mint: REWARD_MINT, amount: 15n }]);
    expect(preview(options)).toMatchObject({ tokens: [{ change: 15n }], lamports: -2_039_280n });
  });

  test('in SOL are unwrapped', () => {
    const rewards = [{ ...issued, token: farmToken(WRAPPED_SOL_MINT) }];
    const { instructions, plan } = claim({ ...claimable, rewards });
    expect(instructions.map(formatInstruction)).toEqual([
      'createIdempotent',
      'harvestReward(0)',
      'closeAccount',
    ]);
    expect(plan.closes).toMatchObject([{ refundLamports: 2_039_280n + 900n }]);
    expect(preview({ ...claimable, rewards })).toEqual({
      failure: undefined,
      tokens: [],
      lamports: 900n,
    });
    const more = [holderTokenAccount(WRAPPED_SOL_MINT, 50n)];
    expect(claim({ ...claimable, rewards, more }).plan.notes).toEqual([
      'The 0.00000005 SOL that were already wrapped are unwrapped as well.',
    ]);
    expect(preview({ ...claimable, rewards, more })).toMatchObject({
      tokens: [{ change: -50n }],
      lamports: 2_039_280n + 50n + 900n,
    });
  });

  test('without a required oracle price throw with the error of the farm', () => {
    const options = {
      ...claimable,
      farm: { scopeOraclePriceId: 3n },
      rewards: [{ ...issued, lastIssuanceTs: NOW - 1n }],
    };
    expect(() => claim(options)).toThrow(/6046 \(MissingScopePrices\)/);
  });

  test('are not claimed if another reward of the farm cannot be refreshed', () => {
    // The schedule of the second reward starts after its last issuance.
    const broken = { lastIssuanceTs: NOW - 5n, rewardScheduleCurve: schedule([NOW, 1n]) };
    const options = { ...claimable, rewards: [issued, { ...issued, ...broken }] };
    const error = catchError(() => claim(options));
    expect(error?.code).toBe('NOTHING_TO_BUILD');
    expect(error?.message).toContain('6043 (InvalidRpsCurvePoint)');
  });

  test('are not claimed without the config that has the treasury fee', () => {
    const config = exampleAddress('farms config');
    const error = catchError(() => claim({ ...claimable, more: [[config, undefined]] }));
    expect(error?.code).toBe('ACCOUNT_UNREADABLE');
    expect(error?.message).toContain(config);
  });

  test('of a stake newer than the indexed farm cannot be claimed yet', () => {
    const user = { ...earned, rewardsTallyScaled: firstOfTen(10n ** 18n, 0n) };
    expect(() => claim({ ...claimable, holder: { staked: 5_000n, user } })).toThrow(
      `The ${REWARD_MINT} for shares of “Made” cannot be claimed now. Try again shortly.`,
    );
  });

  test('of a delegated farm are claimed for the depositor', () => {
    const delegatee = vaultFarmDelegatee({ vault: EXAMPLE_VAULT, farm: SHARE_FARM, user: HOLDER });
    const account = exampleVaultAccounts(claimable).accounts.get(
      userStateAddress(SHARE_FARM, HOLDER),
    );
    if (account === undefined) throw new Error('the stake is missing');
    const data = userState.encode({ ...userState.decode(account), delegatee });
    const state = userStateAddress(SHARE_FARM, delegatee);
    const more = [[state, { ...account, data }] as const];
    const { instructions } = claim({
      ...claimable,
      farm: { delegateAuthority: REWARD_MINT },
      holder: {},
      more,
    });
    expect(instructions[1]?.accounts[1]?.address).toBe(state);
  });

  test('of another owner are not claimed', () => {
    const user = { ...earned, owner: REWARD_MINT };
    expect(catchError(() => claim({ ...claimable, holder: { staked: 5_000n, user } }))?.code).toBe(
      'NOTHING_TO_BUILD',
    );
  });

  test('do not exist without a stake, a farm, or earnings', () => {
    expect(catchError(() => claim({ farm: {} }))?.code).toBe('NOTHING_TO_BUILD');
    expect(catchError(() => claim({}))?.code).toBe('NOTHING_TO_BUILD');
    expect(catchError(() => claim({ farm: {}, holder: { staked: 5n } }))?.code).toBe(
      'NOTHING_TO_BUILD',
    );
  });

  test('fail in the preview with the error of the farm', () => {
    // More is unclaimed than the farm has issued.
    const { failure, tokens } = preview({ farm: {}, holder });
    expect(failure).toMatchObject({ program: 'farms', code: 6012, name: 'IntegerOverflow' });
    expect(tokens).toEqual([]);
    const poor = { ...holder, lamports: 1n };
    expect(preview({ ...claimable, holder: poor }).failure?.program).toBe('system');
  });
});
