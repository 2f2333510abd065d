import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  buildFromInputs,
  loadExampleContext,
} from '../../../../../test/support/builders/load-build-context.ts';
import { formatInstruction } from '../../../../../test/support/flows/expected-differences.ts';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import {
  type RandomWithdrawal,
  randomWithdrawals,
} from '../../../../../test/support/random/random-withdrawals.ts';
import {
  EXAMPLE_VAULT,
  exampleVaultAccounts,
  HOLDER,
  holderTokenAccount,
  SHARE_MINT,
  vaultMarketAddress,
  vaultReserveAddress,
} from '../../../../../test/support/vaults/example-vault-accounts.ts';
import { CodedError, hasCode } from '../../base/errors.ts';
import { toLamports } from '../../base/numbers/lamports.ts';
import { floorSf, type Sf, ZERO_SF } from '../../base/numbers/scaled-fraction.ts';
import type { Instruction } from '../../base/solana/instruction.ts';
import { toUnixSeconds } from '../../base/time.ts';
import { KVAULT_PROGRAM } from '../../protocol/kvault/program.ts';
import { kvaultReleases, NEWEST_VAULT_RULES } from '../../protocol/kvault/releases.ts';
import { WRAPPED_SOL_MINT } from '../../protocol/spl/programs.ts';
import type { Build } from '../build.ts';
import { resultOrError } from '../result-or-error.ts';
import { runVaultWithdrawal } from '../simulation/simulate-vault-withdraw.ts';
import { planVaultWithdrawal, vaultWithdrawBuilder } from './vault-withdraw-builder.ts';

const ALL = 18_446_744_073_709_551_615n;

/** Undefined if nothing can be paid now. */
function tryBuild({ vault, shares }: RandomWithdrawal): Build | undefined {
  const request = { wallet: HOLDER, vault: EXAMPLE_VAULT, shares };
  try {
    return buildFromInputs(vaultWithdrawBuilder, request, exampleVaultAccounts(vault));
  } catch (error) {
    if (hasCode(error, 'NOTHING_TO_BUILD')) return undefined;
    throw error;
  }
}

const withdrawalsOf = ({ instructions }: Build): Instruction[] =>
  instructions.filter(({ programAddress }) => programAddress === KVAULT_PROGRAM);

const argumentOf = (instruction: Instruction): bigint =>
  BigInt(/\((\d+)\)/.exec(formatInstruction(instruction))?.[1] ?? -1);

/** For any vault and wallet. The guards of every build hold, or it would throw. */
test('property: the build matches the request exactly', () => {
  assertProperty(
    fc.property(randomWithdrawals, (random) => {
      const build = tryBuild(random);
      if (build === undefined) expect(isFullWithdrawal(random)).toBe(true);
      else {
        expectExactSteps(random, build);
        expectExactUnstaking(random, build);
        expectAllReserves(random, build);
      }
    }),
    75,
  );
});

/**
 * A cToken of the first reserve is worth 262,144 lamports. Some slots later the first step redeems one cToken less, and no
 * part of it is left to pay the second step, for which the second reserve has too little.
 */
const almostEmptyReserve: RandomWithdrawal = {
  vault: {
    holdings: [
      { available: 742_070_552_819n, borrowed: 82_562_905_869n, minted: 3_145_728n, ctokens: 3n },
      {
        available: 3n,
        borrowed: 200_171_845_198n,
        minted: 160_617_051_995n,
        ctokens: 88_227_743_668n,
        rateBps: 4_001,
      },
      { available: 0n, borrowed: 1n, minted: 1n, ctokens: 0n },
    ],
    farm: {},
    penalty: { bps: 0n, lamports: 10n },
    vault: {
      tokenAvailable: toLamports(0n),
      minWithdrawAmount: toLamports(0n),
      managementFeeBps: 0n,
      performanceFeeBps: 0n,
      sharesIssued: 216_261_459_969n,
      prevAumSf: 126_770_837_896_321_974_992_774_365_184n as Sf,
      lastFeeChargeTimestamp: toUnixSeconds(1_699_913_600n),
    },
    holder: { loose: 0n, staked: 1_031_215n, tokens: 0n },
  },
  unstaked: 0n,
  staked: 1_031_215n,
  shares: 'all',
};

/** A transaction lands within about 300 slots. */
test('property: the withdrawal succeeds whenever it lands, by the rules of each release, unless a note says otherwise', () => {
  const rulesOfBuild = fc.constantFrom(...kvaultReleases.map(({ rules }) => rules));
  assertProperty(
    fc.property(randomWithdrawals, fc.bigInt(0n, 300n), rulesOfBuild, (random, later, rules) => {
      const request = { wallet: HOLDER, vault: EXAMPLE_VAULT, shares: random.shares };
      const { context } = loadExampleContext(
        vaultWithdrawBuilder,
        request,
        exampleVaultAccounts({ ...random.vault, rules }),
      );
      const plan = resultOrError(() => planVaultWithdrawal(request, context));
      fc.pre(!(plan instanceof CodedError) && plan.redemption.notes.every(isHarmless));
      const { state } = exampleVaultAccounts({ ...random.vault, later, rules });
      const [, shares] = runVaultWithdrawal(plan, { ...context, state });
      const requested = plan.requested.shares;
      const fromFarm = requested > random.unstaked ? requested - random.unstaked : 0n;
      const unburned = requested - (fromFarm - (shares?.added ?? 0n));
      expect(unburned).toBeGreaterThanOrEqual(0n);
      if (plan.redemption.isComplete) expect(unburned).toBe(0n);
      // Below one lamport per instruction, plus a millionth when the reserves' rates differ a lot.
      const { sharesIssued = 0n } = random.vault.vault ?? {};
      const perLamport = sharesIssued / totalValue(random) + 2n;
      expect(unburned).toBeLessThanOrEqual(
        perLamport * BigInt(plan.redemption.steps.length) + requested / 1_000_000n,
      );
    }),
    50,
    { examples: [[almostEmptyReserve, 127n, NEWEST_VAULT_RULES]] },
  );
});

const isHarmless = (note: string): boolean =>
  note.endsWith('as a penalty.') || note.startsWith('Rounding may leave');

/** Lamports that the vault holds. */
const totalValue = ({ vault }: RandomWithdrawal): bigint =>
  floorSf(vault.vault?.prevAumSf ?? ZERO_SF) || 1n;

/**
 * The steps of a partial withdrawal add up; those of a full one burn everything, or an existing
 * number.
 */
function expectExactSteps(random: RandomWithdrawal, build: Build): void {
  const total = random.unstaked + random.staked;
  const steps = withdrawalsOf(build).map(argumentOf);
  const sum = steps.reduce((all, step) => all + step, 0n);
  expect(steps.length).toBeGreaterThan(0);
  if (isFullWithdrawal(random))
    expect(steps.every((step) => step === ALL || step <= total)).toBe(true);
  else expect(sum).toBe(random.shares);
}

const isFullWithdrawal = ({ unstaked, staked, shares }: RandomWithdrawal): boolean =>
  shares === 'all' || shares === unstaked + staked;

/** Exactly the shares missing in the wallet are unstaked, right before the withdrawal. */
function expectExactUnstaking({ vault, unstaked, staked, shares }: RandomWithdrawal, build: Build) {
  const missing = (shares === 'all' ? unstaked + staked : shares) - unstaked;
  const texts = build.instructions.map(formatInstruction);
  const unstaking = [
    'createIdempotent',
    `unstake(${missing * 10n ** 18n})`,
    'withdrawUnstakedDeposits',
  ];
  const withdrawals = withdrawalsOf(build).map(formatInstruction);
  const closes = [
    ...(vault.isSol === true ? [WRAPPED_SOL_MINT] : []),
    ...(closesShares(build) ? [SHARE_MINT] : []),
  ];
  expect(texts).toEqual([
    ...(missing > 0n ? unstaking : []),
    'createIdempotent',
    ...withdrawals,
    ...closes.map(() => 'closeAccount'),
  ]);
  expect(
    build.instructions
      .slice(-closes.length || texts.length)
      .map(({ accounts }) => accounts[0]?.address),
  ).toEqual(closes.map((mint) => holderTokenAccount(mint, 0n)[0]));
}

const closesShares = ({ plan }: Build): boolean =>
  plan.closes.some(({ address }) => address === holderTokenAccount(SHARE_MINT, 0n)[0]);

/** Every withdrawal lists all reserves and their markets, and no reserve is used twice. */
function expectAllReserves({ vault }: RandomWithdrawal, build: Build): void {
  const indexes = (vault.holdings ?? []).map((_, i) => i);
  const expected = [
    ...indexes.map((i) => ({ address: vaultReserveAddress(i), role: 1 })),
    ...indexes.map((i) => ({ address: vaultMarketAddress(i), role: 0 })),
  ];
  const withdrawals = withdrawalsOf(build);
  for (const { accounts } of withdrawals)
    expect(accounts.slice(-expected.length)).toEqual(expected);
  const sources = withdrawals.map((withdrawal) =>
    formatInstruction(withdrawal).startsWith('withdrawFrom')
      ? undefined
      : withdrawal.accounts[15]?.address,
  );
  expect(new Set(sources).size).toBe(sources.length);
}
