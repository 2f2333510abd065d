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

/** A wallet in any state, and what it asks for. */
export type RandomLoan = {
  readonly made: ExampleWallet;
  readonly acted: ExampleReserve;
  readonly amount: bigint;
  /** As the obligation lists them. */
  readonly deposits: readonly ExampleReserve[];
  readonly borrows: readonly ExampleReserve[];
};

const amounts = fc.bigInt(1n, 10n ** 12n);

/** At most `count` reserves, each once, on as many places with free ones between. */
const places = (count: number): fc.Arbitrary<readonly PositionSlot[]> =>
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
  list.flatMap((place) => place?.reserve ?? []);

/** 0 to 8 deposits and 0 to 5 debts; some wallets have no loan yet. */
export const randomLoans: fc.Arbitrary<RandomLoan> = fc
  .record({
    deposits: places(8),
    borrows: places(5),
    acted: fc.constantFrom(...EXAMPLE_RESERVES),
    amount: amounts,
    held: fc.option(fc.bigInt(0n, 10n ** 12n), { nil: undefined }),
    elevationGroup: fc.constantFrom(0, 0, 1),
    hasReferrer: fc.boolean(),
    hasFarmUsers: fc.boolean(),
    isNew: fc.nat(9).map((drawn) => drawn === 0),
    hasMetadata: fc.boolean(),
    hasTable: fc.boolean(),
  })
  .map((drawn): RandomLoan => {
    const { acted, amount, held, elevationGroup } = drawn;
    const hasLoan = !drawn.isNew;
    const { deposits, borrows } = hasLoan ? drawn : { deposits: [], borrows: [] };
    const referrer = drawn.hasReferrer ? { referrer: EXAMPLE_REFERRER } : {};
    const { farmCollateral, farmDebt } = acted.fields;
    const tabled = reservesOf(deposits).map(({ address }) => address);
    return {
      acted,
      amount,
      deposits: reservesOf(deposits),
      borrows: reservesOf(borrows),
      made: {
        ...(hasLoan ? { loan: { deposits, borrows, elevationGroup, ...referrer } } : {}),
        ...(drawn.hasTable ? { lookupTable: EXAMPLE_LOOKUP_TABLE } : {}),
        ...referrer,
        hasMetadata: hasLoan || drawn.hasMetadata,
        tokens: held === undefined ? [] : [{ reserve: acted, amount: held }],
        farms: drawn.hasFarmUsers ? [farmCollateral, farmDebt] : [],
        more: [[EXAMPLE_LOOKUP_TABLE, lookupTableAccount(tabled)]],
      },
    };
  });
