import { type Static, Type } from 'typebox';
import { AddressString } from '../../../http/schemas/primitives.ts';

const ACTIONS = [
  ...(['lend-deposit', 'lend-withdraw', 'borrow', 'repay'] as const),
  ...(['vault-deposit', 'vault-withdraw', 'claim-rewards'] as const),
] as const;
export type Action = (typeof ACTIONS)[number];

const address = (description: string) => Type.Unsafe<string>({ ...AddressString, description });

/** What a wallet is about to do. */
export const ActionInput = Type.Object(
  {
    action: Type.Unsafe<Action>({
      type: 'string',
      enum: [...ACTIONS],
      description:
        'lend-deposit, lend-withdraw, borrow and repay act on a loan of the wallet and need reserve; vault-deposit and vault-withdraw need vault; claim-rewards needs vault or market',
    }),
    wallet: address('The wallet that would sign and pay'),
    reserve: Type.Optional(address('Reserve of the token, for actions on a loan')),
    loan: Type.Optional(
      address(
        'Loan of the wallet, of any kind, for actions on a loan and to claim its rewards; its plain loan in the market if omitted',
      ),
    ),
    market: Type.Optional(
      address(
        'Lending market; found by the reserve if it is omitted. For claim-rewards: required without vault',
      ),
    ),
    vault: Type.Optional(address('Earn vault, for actions on a vault')),
    amount: Type.Optional(
      Type.Unsafe<string>({
        // the server checks its form, because the message depends on the token
        title: 'AmountOrAll',
        type: 'string',
        maxLength: 40,
        pattern: '^(U64::MAX|(0|[1-9][0-9]*)(\\.[0-9]+)?)$',
        description:
          'Whole tokens as a string, such as "1.5"; for vault-withdraw whole SHARES. "U64::MAX" is everything, for repay and withdrawals only',
      }),
    ),
  },
  { additionalProperties: false },
);

export type ActionRequest = Static<typeof ActionInput>;
