import { Type } from 'typebox';

const Text = Type.String({ minLength: 1 });

/** An `ApiKeyRecord` as it is stored. */
export const ApiKeySchema = Type.Object({
  id: Text,
  name: Type.String(),
  salt: Text,
  hash: Text,
  createdAt: Text,
  revokedAt: Type.Union([Text, Type.Null()]),
  limit: Type.Union([Text, Type.Null()]),
});
