import { Type } from 'typebox';
import { describe } from '../../http/schemas/describe.ts';
import { AddressString } from '../../http/schemas/primitives.ts';

const ADDRESS_ROLES = [
  'market',
  'reserve',
  'loan',
  'vault',
  'farm',
  'stake',
  'withdrawTicket',
  'token',
  'collateralMint',
  'shareMint',
  'tokenAccount',
  'prices',
  'lookupTable',
  'program',
  'wallet',
] as const;

type AddressRoleName = (typeof ADDRESS_ROLES)[number];

const optionalAddress = (description: string) =>
  Type.Optional(describe(AddressString, description));

const addressList = (description: string) =>
  Type.Optional(describe(Type.Array(AddressString), description));

const count = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }));

const AddressRole = Type.Object(
  {
    role: Type.Unsafe<AddressRoleName>({
      type: 'string',
      enum: [...ADDRESS_ROLES],
      description:
        'What the account is. `token`: mint of the token of a reserve or vault. `collateralMint`: mint of the cTokens of a reserve. `shareMint`: mint of the shares of a vault. `tokenAccount`: holds tokens of a reserve, vault or farm. `stake`: position of a wallet or loan in a farm. `prices`: prices of the oracle. `wallet`: owner of positions',
    }),
    name: Type.String({
      description:
        'Name of the market, vault or program, or symbol of the token; that of the reserve or vault for what belongs to one; empty if it has none. Anyone can name a market or vault',
    }),
    market: optionalAddress('Market that it belongs to'),
    reserve: optionalAddress('Reserve that it belongs to'),
    vault: optionalAddress('Vault that it belongs to'),
    farm: optionalAddress('Farm of the stake or of the shares of the vault'),
    owner: optionalAddress('Wallet that owns it'),
    mint: optionalAddress('Mint of its token'),
    reserves: addressList('Reserves of the token, those of listed markets first'),
    vaults: addressList('Vaults of the token'),
    loans: count('Number of loans of the wallet'),
    shares: count('Number of vaults of which the wallet holds shares'),
    stakes: count('Number of stakes of the wallet'),
    withdrawTickets: count('Number of tickets of the wallet in withdraw queues'),
  },
  { title: 'AddressRole' },
);

export const AddressIdentity = Type.Object(
  {
    address: describe(AddressString, 'The requested address'),
    roles: Type.Array(AddressRole, {
      description:
        'What the address is on the cluster. Empty if the server knows no account and no position of the address: it may be a wallet without positions',
    }),
  },
  { title: 'AddressIdentity' },
);
