import type { Address } from '#core/base/encoding/address.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import { deleverageBuilder, multiplyBuilder } from '#core/builders/leverage/leverage-builders.ts';
import type { SwapInstructions } from '#core/builders/leverage/leverage-request.ts';
import { liquidationBuilder } from '#core/builders/liquidation/liquidation-builder.ts';
import { simulateLiquidation } from '#core/builders/simulation/simulate-liquidation.ts';
import { associatedTokenAddress } from '#core/protocol/spl/associated-token.ts';
import { transferChecked } from '#core/protocol/spl/instructions/token-transfer.ts';
import { findLoanKind } from './loan-kind.ts';
import {
  type ActionContext,
  describeRequest,
  pickOptionalItem,
  prepareAction,
  type RandomAction,
  randomPart,
} from './random-lending-actions.ts';

/** Liquidates a loan of any wallet that is above its threshold, or was close to it when it was last refreshed. */
export function randomLiquidation({
  cluster,
  random,
  wallet,
}: ActionContext): RandomAction | undefined {
  const { state, accountIndex } = cluster;
  const risky = state.markets().flatMap(({ address }) =>
    [...state.obligationsIn(address)].flatMap(({ address: loan, fields }) => {
      const { borrowFactorAdjustedDebtValueSf: debt, unhealthyBorrowValueSf: limit } = fields;
      return fields.owner !== wallet && debt * 10n > limit * 9n ? [loan] : [];
    }),
  );
  const loan = pickOptionalItem(random, risky);
  const positions = loan && accountIndex.obligation.get(loan);
  const debt = pickOptionalItem(random, positions?.borrows ?? []);
  const deposit = pickOptionalItem(random, positions?.deposits ?? []);
  const market = debt && state.reserve(debt.reserve)?.fields.lendingMarket;
  if (!loan || !debt || !deposit || !market) return undefined;
  const part = randomPart(random, (debt.borrowedSf >> 60n) / 5n);
  const request = {
    wallet,
    market,
    loan,
    repayReserve: debt.reserve,
    withdrawReserve: deposit.reserve,
    amount: random.between(0n, 1n) === 0n ? ('all' as const) : part,
  };
  return {
    description: `liquidate ${describeRequest(request)}`,
    prepare: () =>
      prepareAction(cluster, liquidationBuilder, {
        request,
        simulate: (loaded) => simulateLiquidation(request, loaded),
      }),
  };
}

/** Increases a leveraged position. The swap keeps the debt and returns nothing: the wallet repays the flash loan. */
export function randomMultiply(context: ActionContext): RandomAction | undefined {
  const { cluster, random, wallet } = context;
  const { state } = cluster;
  const loan = pickOptionalItem(random, state.obligationsOf(wallet));
  const collateral = pickOptionalItem(random, positionsOf(context, loan?.address).deposits);
  const market = loan?.fields.lendingMarket;
  if (!loan || !collateral || !market) return undefined;
  const others = state.reservesOf(market).filter(({ address }) => address !== collateral.reserve);
  const debtReserve = pickOptionalItem(random, others)?.address;
  if (debtReserve === undefined) return undefined;
  const borrow = randomPart(random, 1_000_000n);
  const request = {
    wallet,
    market,
    obligation: findLoanKind(state, loan.address),
    collateralReserve: collateral.reserve,
    debtReserve,
    deposit: random.between(0n, 1n) === 0n ? 0n : randomPart(random, 1_000_000n),
    flashLoan: randomPart(random, 10_000_000n),
    borrow,
    swap: sinkSwap(context, debtReserve, borrow),
  };
  return {
    description: `multiply ${describeRequest({ ...request, swap: undefined })}`,
    prepare: () => ({
      build: multiplyBuilder.build(request, cluster.buildContext(multiplyBuilder, request)),
    }),
  };
}

/** Reduces a leveraged position. The swap keeps a part of the collateral. */
export function randomDeleverage(context: ActionContext): RandomAction | undefined {
  const { cluster, random, wallet } = context;
  const { state } = cluster;
  const loan = pickOptionalItem(random, state.obligationsOf(wallet));
  const { deposits, borrows } = positionsOf(context, loan?.address);
  const [collateral, debt] = [
    pickOptionalItem(random, deposits),
    pickOptionalItem(random, borrows),
  ];
  const market = loan?.fields.lendingMarket;
  if (!loan || !collateral || !debt || !market || collateral.reserve === debt.reserve) {
    return undefined;
  }
  const isWhole = random.between(0n, 3n) === 0n;
  const withdraw = randomPart(random, collateral.amount / 10n);
  const request = {
    wallet,
    market,
    obligation: findLoanKind(state, loan.address),
    collateralReserve: collateral.reserve,
    debtReserve: debt.reserve,
    repay: isWhole ? ('all' as const) : randomPart(random, debt.borrowedSf >> 60n),
    withdraw,
    swap: sinkSwap(context, collateral.reserve, withdraw / 2n + 1n),
  };
  return {
    description: `deleverage ${describeRequest({ ...request, swap: undefined })}`,
    prepare: () => ({
      build: deleverageBuilder.build(request, cluster.buildContext(deleverageBuilder, request)),
    }),
  };
}

const positionsOf = ({ cluster }: ActionContext, loan: Address | undefined) => {
  const { deposits = [], borrows = [] } = (loan && cluster.accountIndex.obligation.get(loan)) ?? {};
  return { deposits, borrows };
};

/** A transfer of the wallet's tokens to the fee vault of the reserve, which has an account of them. */
export function sinkSwap(
  { cluster, wallet }: Pick<ActionContext, 'cluster' | 'wallet'>,
  reserve: Address,
  amount: bigint,
): SwapInstructions {
  const liquidity = cluster.state.reserve(reserve)?.fields.liquidity;
  if (liquidity === undefined) throw new Error(`no reserve ${reserve}`);
  const { mintPubkey: mint, tokenProgram, feeVault, mintDecimals } = liquidity;
  const instruction: Instruction = transferChecked.build(tokenProgram, {
    accounts: {
      source: associatedTokenAddress(wallet, mint, tokenProgram),
      mint,
      destination: feeVault,
      authority: wallet,
    },
    args: { amount, decimals: Number(mintDecimals) },
  });
  return { instructions: [instruction], lookupTables: [] };
}
