import { expect, test } from 'vitest';
import { type ChainTime, toSlot, toUnixSeconds } from '#core/base/time.ts';
import { mainnetRulesAt } from '#core/protocol/releases/program-rules.ts';
import type { ObservedSlot, SeenAccounts } from '#localnet/replay/observed-slot.ts';
import { replaySlot } from '#localnet/replay/replay-slot.ts';
import type { SlotProof } from '#localnet/replay/slot-proof.ts';
import { mainnetAccounts, mainnetTransaction } from '../../support/mainnet/mainnet-fixtures.ts';
import { toRpcTransaction } from '../../support/protocol/streamed-transaction.ts';
import { COMPARED_PROGRAMS } from '../../support/replay/golden-slots.ts';

/** The recorded accounts, each as of its own slot: none is of the slot of a recorded transaction. */
const recorded = mainnetAccounts().filter(({ owner }) => COMPARED_PROGRAMS.includes(owner));

function replay(response: unknown, time: ChainTime, before: SeenAccounts): SlotProof {
  const transactions = [{ signature: 'recorded', index: 0, response }];
  const slot: ObservedSlot = { time, transactions, before, after: new Map(), isComplete: true };
  return replaySlot(slot, mainnetRulesAt(time.slot));
}

const REPAY_TIME = { slot: toSlot(361_774_429n), unix: toUnixSeconds(1_755_872_986n) };
const FLASH_LOAN_TIME = { slot: toSlot(337_441_395n), unix: toUnixSeconds(1_746_000_000n) };

test('the recorded repayment is read, and not provable: nobody recorded its accounts', () => {
  const { transactions, accounts } = replay(mainnetTransaction('repay'), REPAY_TIME, new Map());
  expect(transactions).toMatchObject([
    { verdict: 'notProvable', reason: 'accountUnknown', hasFailed: false },
  ]);
  expect(transactions[0]?.calls).toEqual([
    { program: 'klend', instruction: 'refreshReserve' },
    { program: 'klend', instruction: 'refreshReserve' },
    { program: 'klend', instruction: 'refreshObligation' },
    { program: 'klend', instruction: 'repayObligationLiquidityV2' },
  ]);
  expect(accounts).toEqual([]);
});

test('the recorded flash loan failed in another program, which decides nothing about ours', () => {
  const response = toRpcTransaction(mainnetTransaction('flash-loan'));
  const { transactions, accounts } = replay(response, FLASH_LOAN_TIME, new Map());
  expect(transactions).toMatchObject([
    { verdict: 'notProvable', reason: 'runtimeError', hasFailed: true },
  ]);
  expect(accounts).toEqual([]);
});

test('versions of an account that are days apart prove nothing and accuse nobody', () => {
  const pairs = [...new Set(recorded.map(({ address }) => address))].flatMap((address) => {
    const versions = recorded.filter((each) => each.address === address);
    const [first, second] = versions.toSorted((a, b) => (a.slot ?? 0) - (b.slot ?? 0));
    return first && second ? [{ address, first, second }] : [];
  });
  expect(pairs.length).toBeGreaterThan(3);
  for (const { address, first, second } of pairs) {
    const slot: ObservedSlot = {
      time: { slot: toSlot(BigInt(second.slot ?? 0)), unix: REPAY_TIME.unix },
      transactions: [],
      before: new Map([[address, { ...first, lamports: 1n }]]),
      after: new Map([[address, { ...second, lamports: 1n }]]),
      isComplete: false,
    };
    const { accounts } = replaySlot(slot, mainnetRulesAt(slot.time.slot));
    expect(accounts.map(({ verdict }) => verdict)).toEqual(['notProvable']);
  }
});
