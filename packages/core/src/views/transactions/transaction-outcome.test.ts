import { expect, test } from 'vitest';
import { mainnetTransaction } from '../../../../../test/support/mainnet/mainnet-fixtures.ts';
import { viewTransactionOutcome } from './transaction-outcome.ts';

const PAYER = 'CDtBwHEpD1xBsMaQ7xeiPudPovkPb281ZRJ6j8WUAiPm';
const PAYER_USDC = '22mpnB2BosW7SbNjrq7pqKTXQMa3C3xSPuNS9ufeCsdE';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

type Response = { readonly meta: Readonly<Record<string, unknown>> };
type Balance = Readonly<Record<string, unknown>>;

/** The recorded repayment, which uses a lookup table, with changes of what its node recorded. */
function repay(meta: Readonly<Record<string, unknown>> = {}, changes: object = {}): unknown {
  const response = mainnetTransaction('repay') as Response;
  return { ...response, ...changes, meta: { ...response.meta, ...meta } };
}

const recorded = (name: string): readonly never[] =>
  (repay() as Response).meta[name] as readonly never[];

test('a repayment of mainnet: slot, time, fee, and balances by owner', () => {
  expect(viewTransactionOutcome(repay())).toEqual({
    slot: 361_774_429n,
    blockTime: 1_755_872_986n,
    version: 0,
    fee: 52_338n,
    computeUnits: 96_763n,
    feePayer: PAYER,
    failure: undefined,
    tokens: [
      {
        owner: PAYER,
        accounts: [PAYER_USDC],
        mint: USDC,
        decimals: 6,
        before: 5_027_079n,
        after: 0n,
      },
      {
        owner: '9DrvZvyWh1HuAoZxvYWMvkf2XCzryCpGgHqrMjyDWpmo',
        accounts: ['Bgq7trRgVMeq33yt235zM2onQ4bRDBsY5EWiTetF4qw6'],
        mint: USDC,
        decimals: 6,
        before: 30_887_173_570_175n,
        after: 30_887_178_597_254n,
      },
    ],
    sol: [{ account: PAYER, tokenOwner: undefined, before: 337_067_818n, after: 337_015_480n }],
  });
});

test('an account that was created or closed had nothing at the other time', () => {
  const [first, second] = recorded('preTokenBalances');
  const { tokens } = viewTransactionOutcome(
    repay({ preTokenBalances: [second], postTokenBalances: [first] }),
  );
  expect(tokens?.map(({ before, after }) => [before, after])).toEqual([
    [30_887_173_570_175n, 0n],
    [0n, 5_027_079n],
  ]);
});

test('two accounts of an owner for one token are one change', () => {
  const post = recorded('postTokenBalances').map((balance: Balance) => ({
    ...balance,
    owner: PAYER,
  }));
  const pre = recorded('preTokenBalances').map((balance: Balance) => ({
    ...balance,
    owner: PAYER,
  }));
  const changes = { preTokenBalances: pre, postTokenBalances: post };
  // what one account pays the other receives
  expect(viewTransactionOutcome(repay(changes)).tokens).toEqual([]);
  const created = { ...changes, preTokenBalances: pre.slice(1) };
  const [change] = viewTransactionOutcome(repay(created)).tokens ?? [];
  expect(change?.accounts).toHaveLength(2);
  expect([change?.before, change?.after]).toEqual([30_887_173_570_175n, 30_887_178_597_254n]);
});

test('without owners there is a change for each account', () => {
  const without = (name: string) =>
    recorded(name).map(({ owner: _, ...balance }: Balance) => balance);
  const { tokens } = viewTransactionOutcome(
    repay({
      preTokenBalances: without('preTokenBalances'),
      postTokenBalances: without('postTokenBalances'),
    }),
  );
  expect(tokens?.map(({ owner, accounts }) => [owner, accounts.length])).toEqual([
    [undefined, 1],
    [undefined, 1],
  ]);
});

test('what the node did not record is undefined, not zero', () => {
  const changes = { preTokenBalances: null, preBalances: undefined };
  expect(viewTransactionOutcome(repay(changes, { blockTime: null }))).toMatchObject({
    blockTime: undefined,
    tokens: undefined,
    sol: undefined,
  });
  const short = recorded('postBalances').slice(1);
  expect(viewTransactionOutcome(repay({ postBalances: short })).sol).toBeUndefined();
});

test('a balance above 2^53 lamports, whose last digits JSON loses, is undefined', () => {
  const [, ...others] = recorded('preBalances');
  const { sol } = viewTransactionOutcome(repay({ preBalances: [2 ** 53 + 2, ...others] }));
  expect(sol).toEqual([
    { account: PAYER, tokenOwner: undefined, before: undefined, after: 337_015_480n },
  ]);
});

test('a failed transaction names the program, and whether its compute units were used up', () => {
  const KLEND = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD';
  const failed = (error: unknown, logMessages: readonly string[]) =>
    viewTransactionOutcome(repay({ err: { InstructionError: [5, error] }, logMessages })).failure;
  const logs = [`Program ${KLEND} invoke [1]`, `Program ${KLEND} failed: custom program error`];
  expect(failed({ Custom: 6013 }, logs)).toMatchObject({
    instructionIndex: 5,
    programAddress: KLEND,
    program: 'klend',
    code: 6013,
  });
  const used = (units: number) => [
    `Program ${KLEND} invoke [1]`,
    `Program ${KLEND} consumed ${units} of 200 compute units`,
    `Program ${KLEND} failed: Program failed to complete`,
  ];
  const stopped = 'ProgramFailedToComplete';
  expect(failed(stopped, used(200))).toMatchObject({ isOutOfUnits: true });
  expect(failed(stopped, used(199))).toMatchObject({ isOutOfUnits: false });
});
