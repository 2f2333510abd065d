import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  buildFromInputs,
  loadExampleContext,
} from '../../../../../test/support/builders/load-build-context.ts';
import { formatInstruction } from '../../../../../test/support/flows/expected-differences.ts';
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
import { floorSf, ZERO_SF } from '../../base/numbers/scaled-fraction.ts';
import type { Instruction } from '../../base/solana/instruction.ts';
import { KVAULT_PROGRAM } from '../../protocol/kvault/program.ts';
import { WRAPPED_SOL_MINT } from '../../protocol/spl/programs.ts';
import type { Build } from '../build.ts';
import { resultOrError } from '../result-or-error.ts';
import { runVaultWithdrawal } from '../simulation/simulate-vault-withdraw.ts';
import { planVaultWithdrawal, vaultWithdrawBuilder } from './vault-withdraw-builder.ts';

const ALL = 18_446_744_073_709_551_615n;

/** Undefined where nothing can be paid now. */
function built({ made, shares }: RandomWithdrawal): Build | undefined {
  const request = { wallet: HOLDER, vault: EXAMPLE_VAULT, shares };
  try {
    return buildFromInputs(vaultWithdrawBuilder, request, exampleVaultAccounts(made));
  } catch (error) {
    if (hasCode(error, 'NOTHING_TO_BUILD')) return undefined;
    throw error;
  }
}

const exitsOf = ({ instructions }: Build): Instruction[] =>
  instructions.filter(({ programAddress }) => programAddress === KVAULT_PROGRAM);

const argumentOf = (instruction: Instruction): bigint =>
  BigInt(/\((\d+)\)/.exec(formatInstruction(instruction))?.[1] ?? -1);

/** Whatever the vault and the wallet have. The guards of every build hold, or it would throw. */
test('property: what is built is exactly what was asked for', () => {
  fc.assert(
    fc.property(randomWithdrawals, (random) => {
      const build = built(random);
      if (build === undefined) expect(wantsAll(random)).toBe(true);
      else {
        expectExactLegs(random, build);
        expectExactUnstaking(random, build);
        expectWholeVault(random, build);
      }
    }),
    { numRuns: 300 },
  );
}, 60_000);

/** Some 300 slots are as late as a transaction may be. */
test('property: it goes through whenever it lands, unless a note says otherwise', () => {
  fc.assert(
    fc.property(randomWithdrawals, fc.bigInt(0n, 300n), (random, later) => {
      const request = { wallet: HOLDER, vault: EXAMPLE_VAULT, shares: random.shares };
      const { scene } = loadExampleContext(
        vaultWithdrawBuilder,
        request,
        exampleVaultAccounts(random.made),
      );
      const plan = resultOrError(() => planVaultWithdrawal(request, scene));
      fc.pre(!(plan instanceof CodedError) && plan.exit.notes.every(isHarmless));
      const { state } = exampleVaultAccounts({ ...random.made, later });
      const [, shares] = runVaultWithdrawal(plan, { ...scene, state });
      const { loose } = random;
      const asked = plan.wanted.shares;
      const unstaked = asked > loose ? asked - loose : 0n;
      const unburned = asked - (unstaked - (shares?.added ?? 0n));
      expect(unburned).toBeGreaterThanOrEqual(0n);
      if (plan.exit.isComplete) expect(unburned).toBe(0n);
      // less than a lamport for each leg, and a millionth where reserves earn at very different rates
      const { sharesIssued = 0n } = random.made.vault ?? {};
      const perLamport = sharesIssued / worthOf(random) + 2n;
      expect(unburned).toBeLessThanOrEqual(
        perLamport * BigInt(plan.exit.legs.length) + asked / 1_000_000n,
      );
    }),
    { numRuns: 200 },
  );
}, 60_000);

const isHarmless = (note: string): boolean =>
  note.endsWith('as a penalty.') || note.startsWith('Rounding may leave');

/** Lamports that the vault holds. */
const worthOf = ({ made }: RandomWithdrawal): bigint =>
  floorSf(made.vault?.prevAumSf ?? ZERO_SF) || 1n;

/** A number of shares adds up; of everything each leg takes all, or a number that there is. */
function expectExactLegs(random: RandomWithdrawal, build: Build): void {
  const total = random.loose + random.staked;
  const legs = exitsOf(build).map(argumentOf);
  const sum = legs.reduce((all, leg) => all + leg, 0n);
  expect(legs.length).toBeGreaterThan(0);
  if (wantsAll(random)) expect(legs.every((leg) => leg === ALL || leg <= total)).toBe(true);
  else expect(sum).toBe(random.shares);
}

const wantsAll = ({ loose, staked, shares }: RandomWithdrawal): boolean =>
  shares === 'all' || shares === loose + staked;

/** The shares that the wallet lacks, and nothing else, come out of the farm right before the exit. */
function expectExactUnstaking({ made, loose, staked, shares }: RandomWithdrawal, build: Build) {
  const missing = (shares === 'all' ? loose + staked : shares) - loose;
  const texts = build.instructions.map(formatInstruction);
  const unstaking = [
    'createIdempotent',
    `unstake(${missing * 10n ** 18n})`,
    'withdrawUnstakedDeposits',
  ];
  const exits = exitsOf(build).map(formatInstruction);
  const closes = [
    ...(made.isSol === true ? [WRAPPED_SOL_MINT] : []),
    ...(closesShares(build) ? [SHARE_MINT] : []),
  ];
  expect(texts).toEqual([
    ...(missing > 0n ? unstaking : []),
    'createIdempotent',
    ...exits,
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

/** Every exit names all reserves and then their markets, and none takes from where another does. */
function expectWholeVault({ made }: RandomWithdrawal, build: Build): void {
  const places = (made.holdings ?? []).map((_, i) => i);
  const expected = [
    ...places.map((i) => ({ address: vaultReserveAddress(i), role: 1 })),
    ...places.map((i) => ({ address: vaultMarketAddress(i), role: 0 })),
  ];
  const exits = exitsOf(build);
  for (const { accounts } of exits) expect(accounts.slice(-expected.length)).toEqual(expected);
  const sources = exits.map((exit) =>
    formatInstruction(exit).startsWith('withdrawFrom') ? undefined : exit.accounts[15]?.address,
  );
  expect(new Set(sources).size).toBe(sources.length);
}
