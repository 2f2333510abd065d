import { expect, test } from 'vitest';
import { catchError } from '../../../../test/support/errors/catch-error.ts';
import { flowFinder } from '../../../../test/support/flows/guard-flows.ts';
import { numberedAddress } from '../../../../test/support/protocol/codecs.ts';
import { COMPUTE_BUDGET_PROGRAM, TOKEN_PROGRAM } from '../protocol/spl/programs.ts';
import { assembleBuild, type BuildDraft } from './assemble-build.ts';
import type { BuildStep } from './build-summary.ts';

const flowOf = flowFinder();
const { wallet, instructions, context } = flowOf('09');
/** Without the recorded compute budget: a draft adds one only on request. */
const steps: BuildStep[] = instructions
  .slice(1)
  .map((instruction, i) => ({ instruction, why: `Reason ${i}.` }));

const description = { summary: 'Deposit.', pays: [], receives: [], notes: ['A note.'] };
const draft: BuildDraft = { wallet, steps, description, lookupTables: [], budget: {} };

test('a build has the instructions of its steps and no unrequested compute budget', () => {
  const build = assembleBuild(draft, context);
  expect(build.wallet).toBe(wallet);
  expect(build.instructions).toEqual(instructions.slice(1));
});

test('a requested compute budget comes first, the limit before the price', () => {
  const budget = { computeUnitLimit: 300_000, computeUnitPrice: 5n };
  const { instructions: built, plan } = assembleBuild({ ...draft, budget }, context);
  expect(built.slice(0, 2)).toEqual([
    {
      programAddress: COMPUTE_BUDGET_PROGRAM,
      accounts: [],
      data: Uint8Array.of(2, 0xe0, 0x93, 4, 0),
    },
    {
      programAddress: COMPUTE_BUDGET_PROGRAM,
      accounts: [],
      data: Uint8Array.of(3, 5, 0, 0, 0, 0, 0, 0, 0),
    },
  ]);
  expect(built.slice(2)).toEqual(instructions.slice(1));
  expect(plan.steps.slice(0, 2).map(({ name }) => name)).toEqual([
    'setComputeUnitLimit',
    'setComputeUnitPrice',
  ]);
  const onlyPrice = assembleBuild({ ...draft, budget: { computeUnitPrice: 0n } }, context);
  expect(onlyPrice.instructions).toHaveLength(instructions.length);
});

test('a build that breaks a safety rule throws', () => {
  const transfer: BuildStep = {
    instruction: {
      programAddress: TOKEN_PROGRAM,
      accounts: [],
      data: Uint8Array.of(3, 1, 0, 0, 0, 0, 0, 0, 0),
    },
    why: 'Not allowed.',
  };
  expect(
    catchError(() => assembleBuild({ ...draft, steps: [...steps, transfer] }, context))?.code,
  ).toBe('UNSAFE_BUILD');
  const otherWallet = { ...draft, wallet: numberedAddress(1) };
  expect(catchError(() => assembleBuild(otherWallet, context))?.code).toBe('UNSAFE_BUILD');
});

test('only lookup tables that shorten the transaction are used', () => {
  const accounts = instructions.flatMap((instruction) => instruction.accounts);
  const useful = {
    address: numberedAddress(2),
    addresses: accounts.filter(({ role }) => role < 2).map(({ address }) => address),
  };
  const useless = { address: numberedAddress(3), addresses: [wallet, numberedAddress(4)] };
  expect(
    assembleBuild({ ...draft, lookupTables: [useless, useful] }, context).lookupTables,
  ).toEqual([useful]);
});

test('the plan describes every instruction and sums the rent of created accounts', () => {
  const creates = (number: number, rentLamports: bigint) => ({
    creates: { address: numberedAddress(number), what: 'account', rentLamports },
  });
  const closes = { address: numberedAddress(7), what: 'account', refundLamports: 9n };
  const [first, second, third, ...rest] = steps;
  if (first === undefined || second === undefined || third === undefined) throw new Error('short');
  const full = [
    { ...first, ...creates(5, 100n) },
    { ...second, ...creates(6, 11n) },
    { ...third, closes },
  ];
  const { plan } = assembleBuild({ ...draft, steps: [...full, ...rest] }, context);
  expect(plan).toMatchObject({
    ...description,
    creates: [creates(5, 100n).creates, creates(6, 11n).creates],
    closes: [closes],
    rentLamports: 111n,
  });
  expect(plan.steps.map(({ name, why }) => [name, why])).toEqual([
    ['createIdempotent', 'Reason 0.'],
    ['refreshReserve', 'Reason 1.'],
    ['refreshReserve', 'Reason 2.'],
    ['refreshObligation', 'Reason 3.'],
    ['depositReserveLiquidityAndObligationCollateralV2', 'Reason 4.'],
  ]);
  expect(plan.steps.map(({ program }) => program)).toEqual(
    instructions.slice(1).map(({ programAddress }) => programAddress),
  );
});
