import fc from 'fast-check';
import {
  EXAMPLE_LOOKUP_TABLE,
  EXAMPLE_REFERRER,
  EXAMPLE_RESERVES,
  type ExampleReserve,
  type ExampleWallet,
  lookupTableAccount,
  type PositionSlot,
} from '../lending/example-lending.ts';

/** A wallet in any state, and its request. */
export type RandomLoan = {
  readonly wallet: ExampleWallet;
  readonly operationReserve: ExampleReserve;
  readonly amount: bigint;
  /** In the order of the obligation. */
  readonly deposits: readonly ExampleReserve[];
  readonly borrows: readonly ExampleReserve[];
};

const amounts = fc.bigInt(1n, 10n ** 12n);

/** At most `count` reserves, each once, in as many slots, with free slots between. */
const slots = (count: number): fc.Arbitrary<readonly PositionSlot[]> =>
  fc
    .tuple(fc.shuffledSubarray([...EXAMPLE_RESERVES], { maxLength: count }), fc.nat(255))
    .chain(([reserves, free]) =>
      fc.array(amounts, { minLength: count, maxLength: count }).map((each) => {
        const left = [...reserves];
        return each.map((amount, i): PositionSlot => {
          const isFree = left.length < count - i && ((free >> i) & 1) === 1;
          const reserve = isFree ? undefined : left.shift();
          return reserve && { reserve, amount };
        });
      }),
    );

const reservesOf = (list: readonly PositionSlot[]): ExampleReserve[] =>
  list.flatMap((slot) => slot?.reserve ?? []);

/** 0 to 8 deposits and 0 to 5 debts; some wallets have no loan yet. */
export const randomLoans: fc.Arbitrary<RandomLoan> = fc
  .record({
    deposits: slots(8),
    borrows: slots(5),
    operationReserve: fc.constantFrom(...EXAMPLE_RESERVES),
    amount: amounts,
    held: fc.option(fc.bigInt(0n, 10n ** 12n), { nil: undefined }),
    elevationGroup: fc.constantFrom(0, 0, 1),
    hasReferrer: fc.boolean(),
    hasFarmUsers: fc.boolean(),
    isNew: fc.nat(9).map((number) => number === 0),
    hasMetadata: fc.boolean(),
    hasTable: fc.boolean(),
  })
  .map((input): RandomLoan => {
    const { operationReserve, amount, held, elevationGroup } = input;
    const hasLoan = !input.isNew;
    const { deposits, borrows } = hasLoan ? input : { deposits: [], borrows: [] };
    const referrer = input.hasReferrer ? { referrer: EXAMPLE_REFERRER } : {};
    const { farmCollateral, farmDebt } = operationReserve.fields;
    const tableEntries = reservesOf(deposits).map(({ address }) => address);
    return {
      operationReserve,
      amount,
      deposits: reservesOf(deposits),
      borrows: reservesOf(borrows),
      wallet: {
        ...(hasLoan ? { loan: { deposits, borrows, elevationGroup, ...referrer } } : {}),
        ...(input.hasTable ? { lookupTable: EXAMPLE_LOOKUP_TABLE } : {}),
        ...referrer,
        hasMetadata: hasLoan || input.hasMetadata,
        tokens: held === undefined ? [] : [{ reserve: operationReserve, amount: held }],
        farms: input.hasFarmUsers ? [farmCollateral, farmDebt] : [],
        more: [[EXAMPLE_LOOKUP_TABLE, lookupTableAccount(tableEntries)]],
      },
    };
  });
