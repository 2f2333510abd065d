import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type BuildInputs,
  loadExampleContext,
} from '../../../../../test/support/builders/load-build-context.ts';
import { lendingBuilders } from '../../../../../test/support/flows/lending-flows.ts';
import {
  EXAMPLE_LOAN,
  EXAMPLE_REFERRER,
  EXAMPLE_WALLET,
  type ExampleReserve,
  exampleLending,
  tokenAccountAddress,
} from '../../../../../test/support/lending/example-lending.ts';
import { MARKET } from '../../../../../test/support/lending/lending-accounts.ts';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { type RandomLoan, randomLoans } from '../../../../../test/support/random/random-loans.ts';
import { type Address, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { type AccountMeta, type Instruction, SIGN, WRITE } from '../../base/solana/instruction.ts';
import { userStateAddress } from '../../protocol/farms/pda.ts';
import { klendInstructions } from '../../protocol/klend/instruction-set.ts';
import { referrerTokenStateAddress } from '../../protocol/klend/pda.ts';
import { KLEND_PROGRAM } from '../../protocol/klend/program.ts';
import { WRAPPED_SOL_MINT } from '../../protocol/spl/programs.ts';
import type { Build } from '../build.ts';
import { compileTransaction } from '../compile-transaction.ts';
import type { LendingActionKind } from './lending-request.ts';

const actions: Readonly<Record<LendingActionKind, string>> = {
  deposit: 'depositReserveLiquidityAndObligationCollateralV2',
  borrow: 'borrowObligationLiquidityV2',
  repay: 'repayObligationLiquidityV2',
  withdraw: 'withdrawObligationCollateralAndRedeemReserveCollateralV2',
};

type Checked = RandomLoan & { readonly intent: LendingActionKind; readonly build: Build };

/** Without a loan only a deposit can be built. */
const intentsOf = ({ wallet }: RandomLoan): readonly LendingActionKind[] =>
  wallet.loan === undefined ? ['deposit'] : ['deposit', 'borrow', 'repay', 'withdraw'];

function buildChecked(intent: LendingActionKind, loan: RandomLoan, inputs: BuildInputs): Checked {
  const { operationReserve, amount } = loan;
  const request = {
    wallet: EXAMPLE_WALLET,
    market: MARKET,
    reserve: operationReserve.address,
    amount,
  };
  const { context, reads } = loadExampleContext(lendingBuilders[intent], request, inputs);
  expect(reads).toBeLessThanOrEqual(2);
  return { ...loan, intent, build: lendingBuilders[intent].build(request, context) };
}

const nameOf = ({ programAddress, data }: Instruction): string =>
  programAddress === KLEND_PROGRAM ? (klendInstructions.nameOf(data) ?? '?') : 'other';

const callsNamed = ({ build }: Checked, name: string): Instruction[] =>
  build.instructions.filter((instruction) => nameOf(instruction) === name);

const addressesOf = (reserves: readonly ExampleReserve[]): Address[] =>
  reserves.map(({ address }) => address);

const written = (addresses: readonly Address[]): AccountMeta[] =>
  addresses.map((address) => ({ address, role: WRITE }));

/**
 * Every reserve is refreshed once, the operation's reserve last, right before the loan and the
 * action.
 */
function checkRefreshes(checked: Checked): void {
  const { deposits, borrows, operationReserve, build, intent } = checked;
  const loan = [...new Set(addressesOf([...deposits, ...borrows]))];
  const others = loan.filter((address) => address !== operationReserve.address);
  const refreshed = callsNamed(checked, 'refreshReserve').map(
    ({ accounts }) => accounts[0]?.address,
  );
  expect(refreshed).toEqual([...others, operationReserve.address]);
  const names = build.instructions.map(nameOf);
  const index = names.indexOf(actions[intent]);
  expect(names.slice(index - 2, index)).toEqual(['refreshReserve', 'refreshObligation']);
  const isSol = operationReserve.fields.liquidity.mintPubkey === WRAPPED_SOL_MINT;
  expect(names.length - 1 - index).toBeLessThanOrEqual(isSol ? 1 : 0);
}

/** Deposits, debts, then the referrer's accounts for the debts. */
function checkLoanAccounts(checked: Checked): void {
  const { deposits, borrows, wallet } = checked;
  const [refresh] = callsNamed(checked, 'refreshObligation');
  const hasReferrer = wallet.loan?.referrer !== undefined;
  const states = hasReferrer
    ? borrows.map(({ address }) => referrerTokenStateAddress(EXAMPLE_REFERRER, address))
    : [];
  expect(refresh?.accounts).toEqual([
    { address: MARKET, role: 0 },
    ...written([EXAMPLE_LOAN, ...addressesOf([...deposits, ...borrows]), ...states]),
  ]);
}

/** The farm of the position, and in an elevation group all deposits for a borrow or repayment. */
function checkAction(checked: Checked): void {
  const { intent, operationReserve, deposits, wallet } = checked;
  const [action] = callsNamed(checked, actions[intent]);
  const isDebt = intent === 'borrow' || intent === 'repay';
  const farm = isDebt ? operationReserve.fields.farmDebt : operationReserve.fields.farmCollateral;
  const addresses = action?.accounts.map(({ address }) => address) ?? [];
  expect(addresses.includes(userStateAddress(farm, EXAMPLE_LOAN))).toBe(farm !== ZERO_ADDRESS);
  const lists = isDebt && wallet.loan?.elevationGroup === 1 ? deposits : [];
  expect(action?.accounts.slice(intent === 'borrow' ? 15 : intent === 'repay' ? 13 : 17)).toEqual(
    written(addressesOf(lists)),
  );
  const inits = farm === ZERO_ADDRESS || wallet.farms?.includes(farm) ? 0 : 1;
  expect(callsNamed(checked, 'initObligationFarmsForReserve')).toHaveLength(inits);
}

/** No duplicate instructions, no other signers, and the token account is created if needed. */
function checkMinimal({ build, intent, operationReserve }: Checked): void {
  const texts = build.instructions.map(({ programAddress, accounts, data }) =>
    [programAddress, data, ...accounts.map(({ address }) => address)].join(),
  );
  expect(new Set(texts).size).toBe(texts.length);
  const metas = build.instructions.flatMap(({ accounts }) => accounts);
  const signers = metas.filter(({ role }) => role >= SIGN).map(({ address }) => address);
  expect(new Set(signers)).toEqual(new Set([EXAMPLE_WALLET]));
  const isSol = operationReserve.fields.liquidity.mintPubkey === WRAPPED_SOL_MINT;
  const creations = build.instructions.filter(({ programAddress, data, accounts }) => {
    const isCreate = programAddress.startsWith('AToken') && data[0] === 1;
    return isCreate && accounts[1]?.address === tokenAccountAddress(operationReserve);
  });
  expect(creations).toHaveLength(intent === 'repay' && !isSol ? 0 : 1);
  expect(build.plan.steps).toHaveLength(build.instructions.length);
}

/** The transaction size, computed from its parts. */
function sizeOf({ instructions, lookupTables, wallet }: Build): number {
  const keys = new Set<Address>([wallet]);
  const fixed = new Set<Address>([wallet]);
  for (const { programAddress, accounts } of instructions) {
    keys.add(programAddress);
    fixed.add(programAddress);
    for (const { address, role } of accounts) {
      keys.add(address);
      if (role >= SIGN) fixed.add(address);
    }
  }
  const loaded = lookupTables.map(({ addresses }) => {
    const found = new Set(addresses.filter((key) => keys.has(key) && !fixed.has(key)));
    for (const key of found) keys.delete(key);
    return found.size;
  });
  const lookups = loaded.map((count) => 32 + 1 + 1 + count);
  const calls = instructions.map(({ accounts, data }) => 3 + accounts.length + data.length);
  const sum = (list: readonly number[]) => list.reduce((total, size) => total + size, 0);
  return 1 + 64 + 1 + 3 + 1 + 32 * keys.size + 32 + 1 + sum(calls) + 1 + sum(lookups);
}

test('property: random loans: refreshes are in order, nothing is duplicated, and the size is exact', () => {
  assertProperty(
    fc.property(randomLoans, (loan) => {
      const inputs = exampleLending(loan.wallet);
      for (const intent of intentsOf(loan)) {
        const checked = buildChecked(intent, loan, inputs);
        checkRefreshes(checked);
        checkLoanAccounts(checked);
        checkAction(checked);
        checkMinimal(checked);
        const { wire } = compileTransaction(checked.build, ZERO_ADDRESS);
        expect(wire).toHaveLength(sizeOf(checked.build));
      }
    }),
    65,
  );
});
