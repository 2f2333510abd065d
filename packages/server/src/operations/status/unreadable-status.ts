import type { UnreadableAccountReader } from '@tidegate/core/state';
import { type Static, Type } from 'typebox';
import { describe } from '../../http/schemas/describe.ts';
import { AddressString, NullableString } from '../../http/schemas/primitives.ts';

export const UnreadableAccountStatus = Type.Object({
  address: describe(AddressString, 'Address of the account'),
  owner: describe(AddressString, 'Program that owns the account'),
  kind: Type.String({ description: 'The type of account by its discriminator' }),
  size: Type.Integer({ description: 'Bytes' }),
  version: describe(NullableString, 'Version field of the account; null if it has none'),
  reason: Type.String({ description: 'Why the account cannot be decoded' }),
});

/** The first 20 accounts that cannot be decoded. */
export const unreadableAccountsJson = (
  unreadable: UnreadableAccountReader,
): Static<typeof UnreadableAccountStatus>[] =>
  unreadable.first().map(({ address, owner, kind, size, version, reason }) => ({
    address,
    owner,
    kind,
    size,
    version: version?.toString() ?? null,
    reason,
  }));
