import type { UnreadableAccountReader } from '@tidegate/core/state';
import { type Static, Type } from 'typebox';
import { AddressString, NullableString } from '../../http/schemas/primitives.ts';

export const UnreadableAccountStatus = Type.Object({
  address: AddressString,
  owner: AddressString,
  kind: Type.String({ description: 'The type of account by its discriminator' }),
  size: Type.Integer({ description: 'Bytes' }),
  version: NullableString,
  reason: Type.String(),
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
