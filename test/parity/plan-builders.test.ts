import { describe, expect, test } from 'vitest';
import type { Instruction } from '#core/base/solana/instruction.ts';
import type { Build } from '#core/builders/build.ts';
import { deleverageBuilder, multiplyBuilder } from '#core/builders/leverage/leverage-builders.ts';
import { liquidationBuilder } from '#core/builders/liquidation/liquidation-builder.ts';
import { klendInstructions } from '#core/protocol/klend/instruction-set.ts';
import { flashBorrowReserveLiquidity } from '#core/protocol/klend/instructions/borrows.ts';
import { liquidateObligationAndRedeemReserveCollateralV2 } from '#core/protocol/klend/instructions/liquidation.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { buildFromInputs } from '../support/builders/load-build-context.ts';
import { FlowContext, readGoldenClusterFile } from '../support/flows/flow-context.ts';
import { flowSnapshots } from '../support/flows/flow-snapshots.ts';
import { goldenReader } from '../support/golden/golden-reader.ts';
import { exampleAddress } from '../support/lending/example-lending.ts';

const cluster = readGoldenClusterFile();
const snapshots = flowSnapshots();

function flowOf(number: number) {
  const snapshot = snapshots.find(({ flow }) => flow.name.startsWith(`${number}-`));
  if (snapshot === undefined) throw new Error(`no flow ${number}`);
  const { flow, accounts } = snapshot;
  const context = new FlowContext(flow, { cluster, accounts });
  return { flow, context, inputs: { state: goldenReader(snapshot), accounts } };
}

/** Instructions of the lending program by name; the swap and the wallet's own instructions are not compared. */
const lendingOf = ({ instructions }: { readonly instructions: readonly Instruction[] }) =>
  instructions
    .filter(({ programAddress }) => programAddress === KLEND_PROGRAM)
    .map((instruction) => ({
      name: klendInstructions.codecOf(instruction.data)?.name,
      accounts: instruction.accounts,
      data: instruction.data,
    }));

const named = (source: Parameters<typeof lendingOf>[0], name: string) => {
  const found = lendingOf(source).find((each) => each.name === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
};

const toRaw = ({ accounts, data }: Pick<Instruction, 'accounts' | 'data'>) => ({
  data,
  accounts: accounts.map(({ address }) => address),
});

test('the liquidation of flow 29 is that of the official client, account by account', () => {
  const { flow, context, inputs } = flowOf(29);
  const name = liquidateObligationAndRedeemReserveCollateralV2.name;
  const recorded = named(flow, name);
  const { accounts, args } = liquidateObligationAndRedeemReserveCollateralV2.decode(
    KLEND_PROGRAM,
    toRaw(recorded),
  );
  const build = buildFromInputs(
    liquidationBuilder,
    {
      wallet: context.user,
      market: accounts.lendingMarket,
      loan: accounts.obligation,
      repayReserve: accounts.repayReserve,
      withdrawReserve: accounts.withdrawReserve,
      amount: 'all',
    },
    inputs,
  );
  const ours = named(build, name);
  expect(ours.accounts).toEqual(recorded.accounts);
  // the client offers a fixed amount, of which the program took what it allows
  expect(args.liquidityAmount).toBe(1_000_000_000n);
  expect([...ours.data.slice(8, 16)]).toEqual(new Array(8).fill(255));
  expect([...ours.data.slice(16)]).toEqual([...recorded.data.slice(16)]);
  expect(lendingOf(build).map((each) => each.name)).toEqual(
    lendingOf(flow).map((each) => each.name),
  );
});

const swap = {
  instructions: [{ programAddress: exampleAddress('dex'), accounts: [], data: new Uint8Array(1) }],
  lookupTables: [],
};

/** A request for the leverage of a flow: its reserves and its loan. */
function leverageOf(number: number) {
  const { flow, context, inputs } = flowOf(number);
  const { coll = '', debt = '' } = context.parameters;
  const [collateral, owed] = [context.reserveOf(coll), context.reserveOf(debt)];
  const request = {
    wallet: context.user,
    market: context.market,
    collateralReserve: collateral.address,
    debtReserve: owed.address,
    obligation: {
      kind: 'multiply',
      collateralMint: collateral.liquidity.mintPubkey,
      debtMint: owed.liquidity.mintPubkey,
    },
    swap,
  } as const;
  const { args } = flashBorrowReserveLiquidity.decode(
    KLEND_PROGRAM,
    toRaw(named(flow, flashBorrowReserveLiquidity.name)),
  );
  return { flow, inputs, request, flashLoan: args.liquidityAmount };
}

const u64At = (data: Uint8Array): bigint =>
  new DataView(data.buffer, data.byteOffset).getBigUint64(8, true);

/**
 * Same names in the same order, and the same accounts. The client refreshes reserves in another order, and also those of a
 * debt that was just repaid.
 */
function expectSame(build: Build, flow: { readonly instructions: readonly Instruction[] }): void {
  const actionsOf = (source: Parameters<typeof lendingOf>[0]) =>
    lendingOf(source)
      .filter(({ name }) => name !== 'refreshReserve')
      .map(({ name, accounts }) => ({ name, accounts }));
  expect(actionsOf(build)).toEqual(actionsOf(flow));
}

describe('leverage compared with the official client', () => {
  test('flow 31: more leverage', () => {
    const { flow, inputs, request, flashLoan } = leverageOf(31);
    const borrow = u64At(named(flow, 'borrowObligationLiquidityV2').data);
    const build = buildFromInputs(
      multiplyBuilder,
      { ...request, deposit: 0n, flashLoan, borrow },
      inputs,
    );
    expectSame(build, flow);
    const name = 'depositReserveLiquidityAndObligationCollateralV2';
    expect(named(build, name).data).toEqual(named(flow, name).data);
  });

  test.each([32, 33])('flow %s: less leverage', (number) => {
    const { flow, inputs, request, flashLoan } = leverageOf(number);
    const build = buildFromInputs(
      deleverageBuilder,
      { ...request, repay: flashLoan, withdraw: 1_000_000_000n },
      inputs,
    );
    expectSame(build, flow);
    expect(u64At(named(build, 'flashBorrowReserveLiquidity').data)).toBe(flashLoan);
    expect(u64At(named(build, 'repayObligationLiquidityV2').data)).toBe(flashLoan);
  });

  test('flow 34: everything out', () => {
    const { flow, inputs, request, flashLoan } = leverageOf(34);
    const build = buildFromInputs(
      deleverageBuilder,
      { ...request, repay: 'all', withdraw: 'all' },
      inputs,
    );
    expectSame(build, flow);
    const ours = u64At(named(build, 'flashBorrowReserveLiquidity').data);
    // both cover more than the debt; the client adds another margin
    expect(Number(ours) / Number(flashLoan)).toBeCloseTo(1, 3);
    for (const name of [
      'repayObligationLiquidityV2',
      'withdrawObligationCollateralAndRedeemReserveCollateralV2',
    ]) {
      expect(named(build, name).data).toEqual(named(flow, name).data);
    }
  });
});
