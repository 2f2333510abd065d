import { type Address, type Instruction, toLamports, U64_MAX } from '@tidegate/core/base';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { approve, burn, mintTo, tokenTransfer } from '@tidegate/core/protocol/spl/instructions';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instructionError } from '../../../../../../test/support/localnet/instruction-error.ts';
import {
  type AccountEntries,
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
import { assertProperty } from '../../../../../../test/support/properties/assert-property.ts';
import { numberedAddress } from '../../../../../../test/support/protocol/codecs.ts';

test.each([TOKEN_PROGRAM, TOKEN_2022_PROGRAM])(
  '%s: unknown instructions and truncated data are rejected',
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
      expect(error).toEqual(instructionError(12));
      expect(logs).toContain('Program log: Error: Invalid instruction');
    }
  },
);

test('missing accounts are rejected', () => {
  const instruction = {
    programAddress: TOKEN_PROGRAM,
    accounts: [{ address: ALICE_TOKENS, role: 3 as const }],
    data: Uint8Array.of(3, 1, 0, 0, 0, 0, 0, 0, 0),
  };
  expect(runNative(tokenAccounts(), [instruction]).error).toEqual(
    instructionError('NotEnoughAccountKeys'),
  );
});

const HOLDERS = [ALICE, BOB, CAROL];
const TOKEN_ACCOUNTS = [ALICE_TOKENS, BOB_TOKENS, numberedAddress(10)];

type Operation = {
  readonly kind: 'transfer' | 'mint' | 'burn' | 'approve';
  readonly from: number;
  readonly to: number;
  /** Index of the signer. */
  readonly by: number;
  readonly amount: bigint;
};

const operations = fc.array(
  fc.record({
    kind: fc.constantFrom('transfer', 'mint', 'burn', 'approve' as const),
    from: fc.nat(2),
    to: fc.nat(2),
    by: fc.nat(2),
    amount: fc.oneof(fc.bigInt(0n, 60n), fc.bigInt(0n, U64_MAX)),
  }),
  { maxLength: 40 },
);

const itemAt = (list: readonly Address[], index: number): Address => {
  const address = list[index];
  if (address === undefined) throw new RangeError('no such holder');
  return address;
};

function buildInstruction(
  program: Address,
  { kind, from, to, by, amount }: Operation,
): Instruction {
  const [source, destination, authority] = [
    itemAt(TOKEN_ACCOUNTS, from),
    itemAt(TOKEN_ACCOUNTS, to),
    itemAt(HOLDERS, by),
  ];
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
      const accounts = { source, delegate: itemAt(HOLDERS, to), owner: authority };
      return approve.build(program, { accounts, args });
    }
  }
}

/** Reference model: balances and delegations. */
class ReferenceLedger {
  readonly balances = [100n, 20n, 0n];
  readonly delegates: ({ delegate: number; remaining: bigint } | undefined)[] = [
    undefined,
    undefined,
    undefined,
  ];

  get supply(): bigint {
    return this.balances.reduce((sum, balance) => sum + balance, 0n);
  }

  /** Applies the operation and returns whether it is allowed. */
  apply({ kind, from, to, by, amount }: Operation): boolean {
    if (kind === 'mint') return this.supply + amount <= U64_MAX && this.add(to, amount);
    if (kind === 'approve') {
      if (by !== from) return false;
      this.delegates[from] = { delegate: to, remaining: amount };
      return true;
    }
    const delegate = this.delegates[from];
    const isDelegate = delegate?.delegate === by;
    if (!isDelegate && by !== from) return false;
    if (amount > (this.balances[from] ?? 0n)) return false;
    if (isDelegate && delegate.remaining < amount) return false;
    const isSelf = kind === 'transfer' && from === to;
    if (isDelegate && !isSelf) {
      const remaining = delegate.remaining - amount;
      this.delegates[from] = remaining === 0n ? undefined : { delegate: by, remaining };
    }
    this.add(from, -amount);
    return kind === 'burn' || this.add(to, amount);
  }

  add(index: number, amount: bigint): true {
    this.balances[index] = (this.balances[index] ?? 0n) + amount;
    return true;
  }
}

test.each([TOKEN_PROGRAM, TOKEN_2022_PROGRAM])(
  'property: %s matches the reference model, and the supply is the sum of all balances',
  (program) => {
    const third = { mint: MINT, owner: CAROL };
    const start: AccountEntries = [
      ...tokenAccounts({ program }),
      [itemAt(TOKEN_ACCOUNTS, 2), tokenHolding(third, program)],
    ];
    assertProperty(
      fc.property(operations, (run) => {
        const reference = new ReferenceLedger();
        let accounts = start;
        for (const operation of run) {
          const result = runNative(accounts, [buildInstruction(program, operation)]);
          expect(result.error === undefined).toBe(reference.apply(operation));
          if (result.error === undefined) {
            accounts = accounts.map(([address]) => [address, result.account(address)] as const);
          }
        }
        const { token, mint } = runNative(accounts, []);
        expect(TOKEN_ACCOUNTS.map((address) => token(address).amount)).toEqual(reference.balances);
        expect(mint(MINT).supply).toBe(reference.supply);
      }),
      150,
    );
  },
);

test('the maximum supply can be burned', () => {
  const full = [MINT, mintAccount({ mintAuthority: MINTER, supply: toLamports(U64_MAX) })] as const;
  const holding = [
    ALICE_TOKENS,
    tokenHolding({ mint: MINT, owner: ALICE, amount: toLamports(U64_MAX) }),
  ];
  const burned = burn.build(TOKEN_PROGRAM, {
    accounts: { account: ALICE_TOKENS, mint: MINT, authority: ALICE },
    args: { amount: U64_MAX },
  });
  const accounts = [full, holding] as AccountEntries;
  const { error, mint } = runNative(accounts, [burned]);
  expect(error).toBeUndefined();
  expect(mint(MINT).supply).toBe(0n);
});
