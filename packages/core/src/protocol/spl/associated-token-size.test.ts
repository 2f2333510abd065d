import { expect, test } from 'vitest';
import { goldenCluster } from '../../../../../test/support/golden/golden.ts';
import { associatedTokenAddress, associatedTokenSize } from './associated-token.ts';
import { mint } from './layout/mint.ts';
import { tokenAccount } from './layout/token-account.ts';
import { TOKEN_2022_PROGRAM } from './programs.ts';

/** Type numbers and sizes of mint extensions, as defined by the program. */
const TRANSFER_FEE_CONFIG = [1, 108] as const;
const MINT_CLOSE_AUTHORITY = [3, 32] as const;
const CONFIDENTIAL_TRANSFER_MINT = [4, 65] as const;
const DEFAULT_ACCOUNT_STATE = [6, 1] as const;
const NON_TRANSFERABLE = [9, 0] as const;
const INTEREST_BEARING_CONFIG = [10, 52] as const;
const PERMANENT_DELEGATE = [12, 32] as const;
const TRANSFER_HOOK = [14, 64] as const;
const METADATA_POINTER = [18, 64] as const;
const SCALED_UI_AMOUNT = [25, 56] as const;
const PAUSABLE = [26, 33] as const;

/** An initialized mint without authority, supply or decimals. */
const plainMint = new Uint8Array(82).with(45, 1);

/** A mint padded to the size of an account, its type byte and its extensions. */
function sizeFor(...extensions: (readonly [type: number, size: number])[]): number {
  const entries = extensions.flatMap(([type, size]) => [type, 0, size, 0, ...new Uint8Array(size)]);
  const data = Uint8Array.from([...plainMint, ...new Uint8Array(165 - 82), 1, ...entries]);
  return associatedTokenSize(mint.decode({ owner: TOKEN_2022_PROGRAM, data }));
}

test('associated accounts of the golden cluster have the computed size', () => {
  const { accounts } = goldenCluster();
  const sizes = [...accounts].flatMap(([address, account]) => {
    if (account.owner !== TOKEN_2022_PROGRAM || !tokenAccount.matches(account)) return [];
    const { mint: mintAddress, owner } = tokenAccount.decode(account);
    if (address !== associatedTokenAddress(owner, mintAddress, TOKEN_2022_PROGRAM)) return [];
    const mintAccount = accounts.get(mintAddress);
    const expected = mintAccount && associatedTokenSize(mint.decode(mintAccount));
    return [[account.data.length, expected]];
  });
  expect(sizes).toEqual(new Array(4).fill([170, 170]));
});

test('an account of a Token-2022 mint without extensions has the immutable owner extension', () => {
  const account = { owner: TOKEN_2022_PROGRAM, data: plainMint };
  expect(associatedTokenSize(mint.decode(account))).toBe(170);
});

test.each([
  ['a transfer fee', 182, [TRANSFER_FEE_CONFIG]],
  ['a transfer hook', 175, [TRANSFER_HOOK]],
  ['a pause', 174, [PAUSABLE]],
  ['no transfers', 174, [NON_TRANSFERABLE]],
  [
    'a stablecoin of many extensions',
    187,
    [
      MINT_CLOSE_AUTHORITY,
      PERMANENT_DELEGATE,
      TRANSFER_FEE_CONFIG,
      CONFIDENTIAL_TRANSFER_MINT,
      TRANSFER_HOOK,
      METADATA_POINTER,
    ],
  ],
  [
    'extensions without an account extension',
    170,
    [DEFAULT_ACCOUNT_STATE, INTEREST_BEARING_CONFIG, SCALED_UI_AMOUNT],
  ],
])('%s requires an account of %i bytes', (_, size, extensions) => {
  expect(sizeFor(...extensions)).toBe(size);
});
