import fc from 'fast-check';
import {
  MADE_REFERRER,
  MADE_RESERVES,
  MADE_TABLE,
  type MadePlace,
  type MadeReserve,
  type MadeWallet,
  madeTable,
} from '../lending/example-lending.ts';

/** A wallet in any state, and what it asks for. */
export type RandomLoan = {
  readonly made: MadeWallet;
  readonly acted: MadeReserve;
  readonly amount: bigint;
  /** As the obligation lists them. */
  readonly deposits: readonly MadeReserve[];
  readonly borrows: readonly MadeReserve[];
};

const amounts = fc.bigInt(1n, 10n ** 12n);

/** At most `count` reserves, each once, on as many places with free ones between. */
const places = (count: number): fc.Arbitrary<readonly MadePlace[]> =>
  fc
    .tuple(fc.shuffledSubarray([...MADE_RESERVES], { maxLength: count }), fc.nat(255))
    .chain(([reserves, free]) =>
      fc.array(amounts, { minLength: count, maxLength: count }).map((each) => {
        const left = [...reserves];
        return each.map((amount, i): MadePlace => {
          const isFree = left.length < count - i && ((free >> i) & 1) === 1;
          const reserve = isFree ? undefined : left.shift();
          return reserve && { reserve, amount };
        });
      }),
    );

const reservesOf = (list: readonly MadePlace[]): MadeReserve[] =>
  list.flatMap((place) => place?.reserve ?? []);

/** 0 to 8 deposits and 0 to 5 debts; some wallets have no loan yet. */
export const randomLoans: fc.Arbitrary<RandomLoan> = fc
  .record({
    deposits: places(8),
    borrows: places(5),
    acted: fc.constantFrom(...MADE_RESERVES),
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
    const referrer = drawn.hasReferrer ? { referrer: MADE_REFERRER } : {};
    const { farmCollateral, farmDebt } = acted.fields;
    const tabled = reservesOf(deposits).map(({ address }) => address);
    return {
      acted,
      amount,
      deposits: reservesOf(deposits),
      borrows: reservesOf(borrows),
      made: {
        ...(hasLoan ? { loan: { deposits, borrows, elevationGroup, ...referrer } } : {}),
        ...(drawn.hasTable ? { lookupTable: MADE_TABLE } : {}),
        ...referrer,
        hasMetadata: hasLoan || drawn.hasMetadata,
        tokens: held === undefined ? [] : [{ reserve: acted, amount: held }],
        farms: drawn.hasFarmUsers ? [farmCollateral, farmDebt] : [],
        more: [[MADE_TABLE, madeTable(tabled)]],
      },
    };
  });
