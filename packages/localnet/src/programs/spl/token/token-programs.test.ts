import { type Address, type Instruction, toLamports, U64_MAX } from '@tidegate/core/base';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { approve, burn, mintTo, tokenTransfer } from '@tidegate/core/protocol/spl/instructions';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type AccountEntries,
  firstInstructionError,
  mintAccount,
  runNative,
  tokenHolding,
} from '../../../../../../test/support/localnet/run-native.ts';
import {
  ALICE,
  ALICE_TOKENS,
  BOB,
  BOB_TOKENS,
  CAROL,
  MINT,
  MINTER,
  tokenAccounts,
} from '../../../../../../test/support/localnet/token-accounts.ts';
import { numberedAddress } from '../../../../../../test/support/protocol/codecs.ts';

test.each([TOKEN_PROGRAM, TOKEN_2022_PROGRAM])(
  '%s: data of no instruction and data that is cut short are refused',
  (program) => {
    for (const data of [[], [0xfe], [3, 1, 2]]) {
      const instruction = {
        programAddress: program,
        accounts: [ALICE_TOKENS, BOB_TOKENS, ALICE].map((address) => ({
          address,
          role: 3 as const,
        })),
        data: Uint8Array.from(data),
      };
      const { error, logs } = runNative(tokenAccounts({ program }), [instruction]);
      expect(error).toEqual(firstInstructionError(12));
      expect(logs).toContain('Program log: Error: Invalid instruction');
    }
  },
);

test('accounts that are missing are refused', () => {
  const instruction = {
    programAddress: TOKEN_PROGRAM,
    accounts: [{ address: ALICE_TOKENS, role: 3 as const }],
    data: Uint8Array.of(3, 1, 0, 0, 0, 0, 0, 0, 0),
  };
  expect(runNative(tokenAccounts(), [instruction]).error).toEqual(
    firstInstructionError('NotEnoughAccountKeys'),
  );
});

const HOLDERS = [ALICE, BOB, CAROL];
const PLACES = [ALICE_TOKENS, BOB_TOKENS, numberedAddress(10)];

type Act = {
  readonly kind: 'transfer' | 'mint' | 'burn' | 'approve';
  readonly from: number;
  readonly to: number;
  /** Who signs. */
  readonly by: number;
  readonly amount: bigint;
};

const acts = fc.array(
  fc.record({
    kind: fc.constantFrom('transfer', 'mint', 'burn', 'approve' as const),
    from: fc.nat(2),
    to: fc.nat(2),
    by: fc.nat(2),
    amount: fc.oneof(fc.bigInt(0n, 60n), fc.bigInt(0n, U64_MAX)),
  }),
  { maxLength: 40 },
);

const at = (list: readonly Address[], index: number): Address => {
  const address = list[index];
  if (address === undefined) throw new RangeError('no such holder');
  return address;
};

function built(program: Address, { kind, from, to, by, amount }: Act): Instruction {
  const [source, destination, authority] = [at(PLACES, from), at(PLACES, to), at(HOLDERS, by)];
  const args = { amount };
  switch (kind) {
    case 'transfer':
      return tokenTransfer.build(program, { accounts: { source, destination, authority }, args });
    case 'mint': {
      const accounts = { mint: MINT, account: destination, mintAuthority: MINTER };
      return mintTo.build(program, { accounts, args });
    }
    case 'burn':
      return burn.build(program, { accounts: { account: source, mint: MINT, authority }, args });
    case 'approve': {
      const accounts = { source, delegate: at(HOLDERS, to), owner: authority };
      return approve.build(program, { accounts, args });
    }
  }
}

/** What a textbook says: balances, and for each account who else may take how much. */
class Book {
  readonly balances = [100n, 20n, 0n];
  readonly delegates: ({ who: number; left: bigint } | undefined)[] = [
    undefined,
    undefined,
    undefined,
  ];

  get supply(): bigint {
    return this.balances.reduce((sum, balance) => sum + balance, 0n);
  }

  /** Whether it is allowed; if so, it is done. */
  do({ kind, from, to, by, amount }: Act): boolean {
    if (kind === 'mint') return this.supply + amount <= U64_MAX && this.add(to, amount);
    if (kind === 'approve') {
      if (by !== from) return false;
      this.delegates[from] = { who: to, left: amount };
      return true;
    }
    const delegate = this.delegates[from];
    const isDelegate = delegate?.who === by;
    if (!isDelegate && by !== from) return false;
    if (amount > (this.balances[from] ?? 0n)) return false;
    if (isDelegate && delegate.left < amount) return false;
    const isSelf = kind === 'transfer' && from === to;
    if (isDelegate && !isSelf) {
      const left = delegate.left - amount;
      this.delegates[from] = left === 0n ? undefined : { who: by, left };
    }
    this.add(from, -amount);
    return kind === 'burn' || this.add(to, amount);
  }

  add(place: number, amount: bigint): true {
    this.balances[place] = (this.balances[place] ?? 0n) + amount;
    return true;
  }
}

test.each([TOKEN_PROGRAM, TOKEN_2022_PROGRAM])(
  'property: %s keeps the same books as a textbook, and supply is the sum of all balances',
  (program) => {
    const third = { mint: MINT, owner: CAROL };
    const start: AccountEntries = [
      ...tokenAccounts({ program }),
      [at(PLACES, 2), tokenHolding(third, program)],
    ];
    fc.assert(
      fc.property(acts, (played) => {
        const book = new Book();
        let accounts = start;
        for (const act of played) {
          const ran = runNative(accounts, [built(program, act)]);
          expect(ran.error === undefined).toBe(book.do(act));
          if (ran.error === undefined) {
            accounts = accounts.map(([address]) => [address, ran.account(address)] as const);
          }
        }
        const { token, mint } = runNative(accounts, []);
        expect(PLACES.map((place) => token(place).amount)).toEqual(book.balances);
        expect(mint(MINT).supply).toBe(book.supply);
      }),
      { numRuns: 150 },
    );
  },
);

test('a supply at its limit is a supply', () => {
  const full = [MINT, mintAccount({ mintAuthority: MINTER, supply: toLamports(U64_MAX) })] as const;
  const all = [
    ALICE_TOKENS,
    tokenHolding({ mint: MINT, owner: ALICE, amount: toLamports(U64_MAX) }),
  ];
  const burned = burn.build(TOKEN_PROGRAM, {
    accounts: { account: ALICE_TOKENS, mint: MINT, authority: ALICE },
    args: { amount: U64_MAX },
  });
  const accounts = [full, all] as AccountEntries;
  const { error, mint } = runNative(accounts, [burned]);
  expect(error).toBeUndefined();
  expect(mint(MINT).supply).toBe(0n);
});
