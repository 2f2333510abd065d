import { Type } from 'typebox';
import { describe } from '../../../http/schemas/describe.ts';
import { AddressString, DecimalString } from '../../../http/schemas/primitives.ts';

const SolBalance = Type.Object(
  {
    amount: describe(DecimalString, 'Unwrapped SOL of the wallet'),
    reserved: describe(
      DecimalString,
      'SOL that a deposit should leave: rent of every account that a first deposit opens (user metadata, loan, farm account, wrapped SOL), the minimum balance of a wallet, and 0.001 SOL for fees',
    ),
    usable: describe(
      DecimalString,
      'What can be deposited: amount less reserved, at least 0; 0 if a program owns the account',
    ),
  },
  { title: 'WalletSolBalance' },
);

const TokenBalance = Type.Object(
  {
    mint: describe(AddressString, 'Mint of the token'),
    symbol: Type.String({ description: 'Symbol of the token' }),
    decimals: Type.Integer({ description: 'Decimals of the token' }),
    tokenAccount: describe(AddressString, 'Associated token account, which may not exist'),
    amount: describe(
      DecimalString,
      'Balance in whole tokens; 0 if the account does not exist or is not owned by the wallet. For SOL: what is wrapped',
    ),
  },
  { title: 'WalletTokenBalance' },
);

export const WalletBalances = Type.Object(
  {
    sol: describe(SolBalance, 'SOL of the wallet itself'),
    tokens: Type.Array(TokenBalance, {
      description: 'One entry per token of a reserve or vault, also without a balance',
    }),
  },
  { title: 'WalletBalances' },
);
