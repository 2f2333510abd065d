import { describe } from '../../http/schemas/describe.ts';
import { AddressString } from '../../http/schemas/primitives.ts';

export const WalletParameter = describe(AddressString, 'Address of the wallet');

export const MarketParameter = describe(AddressString, 'Address of the lending market');

export const ReserveParameter = describe(AddressString, 'Address of the reserve');

export const ObligationParameter = describe(AddressString, 'Address of the obligation account');

export const VaultParameter = describe(AddressString, 'Address of the vault');
