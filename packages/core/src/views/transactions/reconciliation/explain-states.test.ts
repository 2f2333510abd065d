import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../../test/support/properties/assert-property.ts';
import { numberedAddress } from '../../../../../../test/support/protocol/codecs.ts';
import { bsfFromBits } from '../../../base/numbers/big-scaled-fraction.ts';
import { ONE_SF, sfFromBits } from '../../../base/numbers/scaled-fraction.ts';
import { toSlot } from '../../../base/time.ts';
import { explainStates, type RecordedState } from './explain-states.ts';
import { findLoanDifference, type LoanBalance, type LoanBalanceEvent } from './loan-balance.ts';
import { findShareDifference, type ShareEvent } from './share-balance.ts';
import { findStakeDifference } from './stake-balance.ts';

const RESERVE = numberedAddress(1);
const YEARLY_SLOTS = 78_840_000n;

/** An operation, some slots after the one before. */
type Operation = { readonly wait: bigint; readonly borrows: boolean; readonly amount: bigint };

const operations = fc.array(
  fc.record({
    wait: fc.bigInt(1n, 1_000_000n),
    borrows: fc.boolean(),
    amount: fc.bigInt(1n, 10n ** 12n),
  }),
  { minLength: 1, maxLength: 12 },
);

const event = (fields: Partial<LoanBalanceEvent> & Pick<LoanBalanceEvent, 'slot' | 'kind'>) => ({
  reserve: RESERVE,
  otherReserve: null,
  collateralAmount: null,
  liquidityAmount: null,
  debtAmount: null,
  ...fields,
});

/** A loan with a deposit of 5 and a debt that grows by 20 % a year, in rational numbers that are never rounded. */
function simulate(steps: readonly Operation[]) {
  const states: RecordedState<LoanBalance>[] = [];
  const events: LoanBalanceEvent[] = [];
  let slot = 1_000n;
  // the cumulative rate is a whole number of these parts, so that each debt is a fraction of two integers
  let rate = 10n * YEARLY_SLOTS;
  let debt = 10n ** 13n * ONE_SF;
  const record = () => {
    const amount = sfFromBits(debt);
    const debts = new Map([[RESERVE, { amount, rate: bsfFromBits(rate << 60n) }]]);
    const state = { refreshedAt: toSlot(slot), deposits: new Map([[RESERVE, 5n]]), debts };
    states.push({ slot: toSlot(slot), state });
  };
  record();
  for (const { wait, borrows, amount } of steps) {
    const before = rate;
    rate += 2n * wait;
    slot += wait;
    debt = (debt * rate) / before;
    const isBorrow = borrows || amount * ONE_SF >= debt;
    debt += (isBorrow ? amount : -amount) * ONE_SF;
    const kind = isBorrow ? 'borrow' : 'repay';
    events.push(event({ slot: toSlot(slot), kind, debtAmount: amount, liquidityAmount: amount }));
    record();
  }
  return { states, events };
}

test('property: all events of a debt explain each of its states', () => {
  assertProperty(
    fc.property(operations, (steps) => {
      const { states, events } = simulate(steps);
      expect(explainStates(states, events, findLoanDifference)).toEqual({
        explained: states.length - 1,
        difference: undefined,
      });
    }),
    200,
  );
});

test('property: without one of its events a debt is not explained, but at least up to the state before it', () => {
  assertProperty(
    fc.property(operations, fc.nat(), (steps, index) => {
      const { states, events } = simulate(steps);
      const missing = index % events.length;
      // the program rounds a last payment up, so that a repayment of one unit can be the end of a fraction
      if ((events[missing]?.debtAmount ?? 0n) < 2n) return;
      const others = events.filter((_, each) => each !== missing);
      const result = explainStates(states, others, findLoanDifference);
      // a later event of about the same amount explains the state, too, but then not its own
      expect(result.explained).toBeGreaterThanOrEqual(missing);
      expect(result.difference).toContain(`of reserve ${RESERVE}`);
    }),
    200,
  );
});

test('property: over a time in which only the first and the last state are known, bounds hold', () => {
  assertProperty(
    fc.property(operations, (steps) => {
      const { states, events } = simulate(steps);
      const ends = [...states.slice(0, 1), ...states.slice(-1)];
      expect(explainStates(ends, events, findLoanDifference).difference).toBeUndefined();
    }),
    100,
  );
});

const at = <State>(slot: bigint, state: State) => ({ slot: toSlot(slot), state });
const loan = (deposit: bigint, debt: bigint): LoanBalance => ({
  refreshedAt: toSlot(20n),
  deposits: new Map([[RESERVE, deposit]]),
  debts:
    debt === 0n
      ? new Map()
      : new Map([[RESERVE, { amount: sfFromBits(debt), rate: bsfFromBits(ONE_SF) }]]),
});

test('a missing withdrawal of one cToken is found', () => {
  const states = [at(10n, loan(500n, 0n)), at(20n, loan(399n, 0n))];
  const withdrawal = event({ slot: toSlot(20n), kind: 'withdraw', collateralAmount: 100n });
  expect(explainStates(states, [withdrawal], findLoanDifference)).toEqual({
    explained: 0,
    difference: `its events make 400 cTokens of reserve ${RESERVE}, its account has 399`,
  });
});

test('a debt that was repaid may have grown, but not without a repayment', () => {
  const states = [at(10n, loan(0n, 1_000n * ONE_SF)), at(20n, loan(0n, 0n))];
  const repay = (debtAmount: bigint) => [event({ slot: toSlot(20n), kind: 'repay', debtAmount })];
  expect(explainStates(states, repay(1_001n), findLoanDifference).difference).toBeUndefined();
  expect(explainStates(states, repay(999n), findLoanDifference).explained).toBe(0);
  expect(explainStates(states, repay(1_003n), findLoanDifference).explained).toBe(0);
  expect(explainStates(states, [], findLoanDifference).explained).toBe(0);
});

const trade = (slot: bigint, kind: ShareEvent['kind'], sharesAmount: bigint): ShareEvent => ({
  ...{ slot: toSlot(slot), kind, sharesAmount },
});

test('a state may have events of a later slot, but not of one after the next state', () => {
  const states = [at(1n, 0n), at(5n, 7n), at(9n, 4n)];
  const buy = (slot: bigint) => [trade(slot, 'buy', 7n), trade(9n, 'shareTransferOut', 3n)];
  expect(explainStates(states, buy(6n), findShareDifference).difference).toBeUndefined();
  expect(explainStates(states, [...buy(10n)].reverse(), findShareDifference)).toEqual({
    explained: 0,
    difference: 'its events make 0 shares, its accounts have 7',
  });
});

test('an event after the newest state must change nothing', () => {
  const states = [at(1n, 10n), at(5n, 17n)];
  const events = [trade(5n, 'deposit', 7n), trade(6n, 'sell', 1n)];
  expect(explainStates(states, events, findShareDifference)).toEqual({
    explained: 1,
    difference: 'its events make 16 shares, its accounts have 17',
  });
});

test('a stake is set as a whole, and an unstake takes at most all of it', () => {
  const WAD = 10n ** 18n;
  const userState = numberedAddress(2);
  const stakeEvent = (slot: bigint, kind: 'stake' | 'unstake' | 'setStake', amount: bigint) => ({
    ...{ slot: toSlot(slot), kind, amount, userState },
  });
  const staked = [stakeEvent(2n, 'stake', 5n), stakeEvent(3n, 'unstake', 9n * WAD)];
  const states = [at(1n, 0n), at(2n, 5n * WAD), at(3n, 0n)];
  expect(explainStates(states, staked, findStakeDifference).difference).toBeUndefined();
  expect(explainStates(states, staked.slice(0, 1), findStakeDifference).explained).toBe(1);
  const set = [stakeEvent(2n, 'setStake', 8n), stakeEvent(3n, 'setStake', 6n)];
  expect(
    explainStates([at(1n, 9n), at(3n, 6n)], set, findStakeDifference).difference,
  ).toBeUndefined();
  expect(explainStates([at(1n, 9n), at(3n, 8n)], set, findStakeDifference).explained).toBe(0);
});
