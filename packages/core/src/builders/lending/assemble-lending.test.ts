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
const intentsOf = ({ made }: RandomLoan): readonly LendingActionKind[] =>
  made.loan === undefined ? ['deposit'] : ['deposit', 'borrow', 'repay', 'withdraw'];

function built(intent: LendingActionKind, loan: RandomLoan, readable: BuildInputs): Checked {
  const { acted, amount } = loan;
  const request = { wallet: EXAMPLE_WALLET, market: MARKET, reserve: acted.address, amount };
  const { scene, reads } = loadExampleContext(lendingBuilders[intent], request, readable);
  expect(reads).toBeLessThanOrEqual(2);
  return { ...loan, intent, build: lendingBuilders[intent].build(request, scene) };
}

const nameOf = ({ programAddress, data }: Instruction): string =>
  programAddress === KLEND_PROGRAM ? (klendInstructions.nameOf(data) ?? '?') : 'other';

const named = ({ build }: Checked, name: string): Instruction[] =>
  build.instructions.filter((instruction) => nameOf(instruction) === name);

const addressesOf = (reserves: readonly ExampleReserve[]): Address[] =>
  reserves.map(({ address }) => address);

const written = (addresses: readonly Address[]): AccountMeta[] =>
  addresses.map((address) => ({ address, role: WRITE }));

/** All of the loan and the acted one, each once, the acted one last, right before the loan and the action. */
function checkRefreshes(checked: Checked): void {
  const { deposits, borrows, acted, build, intent } = checked;
  const loan = [...new Set(addressesOf([...deposits, ...borrows]))];
  const others = loan.filter((address) => address !== acted.address);
  const refreshed = named(checked, 'refreshReserve').map(({ accounts }) => accounts[0]?.address);
  expect(refreshed).toEqual([...others, acted.address]);
  const names = build.instructions.map(nameOf);
  const at = names.indexOf(actions[intent]);
  expect(names.slice(at - 2, at)).toEqual(['refreshReserve', 'refreshObligation']);
  const isSol = acted.fields.liquidity.mintPubkey === WRAPPED_SOL_MINT;
  expect(names.length - 1 - at).toBeLessThanOrEqual(isSol ? 1 : 0);
}

/** Deposits, debts, then the referrer's states for the debts. */
function checkLoanAccounts(checked: Checked): void {
  const { deposits, borrows, made } = checked;
  const [refresh] = named(checked, 'refreshObligation');
  const hasReferrer = made.loan?.referrer !== undefined;
  const states = hasReferrer
    ? borrows.map(({ address }) => referrerTokenStateAddress(EXAMPLE_REFERRER, address))
    : [];
  expect(refresh?.accounts).toEqual([
    { address: MARKET, role: 0 },
    ...written([EXAMPLE_LOAN, ...addressesOf([...deposits, ...borrows]), ...states]),
  ]);
}

/** The farm of its side, and in a group every deposit behind a loan or a repayment. */
function checkAction(checked: Checked): void {
  const { intent, acted, deposits, made } = checked;
  const [action] = named(checked, actions[intent]);
  const ofDebt = intent === 'borrow' || intent === 'repay';
  const farm = ofDebt ? acted.fields.farmDebt : acted.fields.farmCollateral;
  const addresses = action?.accounts.map(({ address }) => address) ?? [];
  expect(addresses.includes(userStateAddress(farm, EXAMPLE_LOAN))).toBe(farm !== ZERO_ADDRESS);
  const lists = ofDebt && made.loan?.elevationGroup === 1 ? deposits : [];
  expect(action?.accounts.slice(intent === 'borrow' ? 15 : intent === 'repay' ? 13 : 17)).toEqual(
    written(addressesOf(lists)),
  );
  const inits = farm === ZERO_ADDRESS || made.farms?.includes(farm) ? 0 : 1;
  expect(named(checked, 'initObligationFarmsForReserve')).toHaveLength(inits);
}

/** Nothing twice, nobody else signs, and what is built for is named. */
function checkEconomy({ build, intent, acted }: Checked): void {
  const texts = build.instructions.map(({ programAddress, accounts, data }) =>
    [programAddress, data, ...accounts.map(({ address }) => address)].join(),
  );
  expect(new Set(texts).size).toBe(texts.length);
  const metas = build.instructions.flatMap(({ accounts }) => accounts);
  const signers = metas.filter(({ role }) => role >= SIGN).map(({ address }) => address);
  expect(new Set(signers)).toEqual(new Set([EXAMPLE_WALLET]));
  const isSol = acted.fields.liquidity.mintPubkey === WRAPPED_SOL_MINT;
  const creations = build.instructions.filter(({ programAddress, data, accounts }) => {
    const isCreate = programAddress.startsWith('AToken') && data[0] === 1;
    return isCreate && accounts[1]?.address === tokenAccountAddress(acted);
  });
  expect(creations).toHaveLength(intent === 'repay' && !isSol ? 0 : 1);
  expect(build.plan.steps).toHaveLength(build.instructions.length);
}

/** Counted from what is in it. */
function sizeOf({ instructions, tables, wallet }: Build): number {
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
  const loaded = tables.map(({ addresses }) => {
    const found = new Set(addresses.filter((key) => keys.has(key) && !fixed.has(key)));
    for (const key of found) keys.delete(key);
    return found.size;
  });
  const lookups = loaded.map((count) => 32 + 1 + 1 + count);
  const calls = instructions.map(({ accounts, data }) => 3 + accounts.length + data.length);
  const sum = (list: readonly number[]) => list.reduce((total, size) => total + size, 0);
  return 1 + 64 + 1 + 3 + 1 + 32 * keys.size + 32 + 1 + sum(calls) + 1 + sum(lookups);
}

/** Some thousand builds; no measure of anything. */
const TIMEOUT_MS = 300_000;

test(
  '1000 random loans: all is refreshed in order, nothing is there twice, the size is right',
  () => {
    fc.assert(
      fc.property(randomLoans, (loan) => {
        const readable = exampleLending(loan.made);
        for (const intent of intentsOf(loan)) {
          const checked = built(intent, loan, readable);
          checkRefreshes(checked);
          checkLoanAccounts(checked);
          checkAction(checked);
          checkEconomy(checked);
          const { wire } = compileTransaction(checked.build, ZERO_ADDRESS);
          expect(wire).toHaveLength(sizeOf(checked.build));
        }
      }),
      { numRuns: 1000 },
    );
  },
  TIMEOUT_MS,
);
